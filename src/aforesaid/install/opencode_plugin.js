// Written by `aforesaid install opencode`; `aforesaid uninstall opencode` removes it.
// Gives each prompt what the memory has on it, and stores prompts and answers. An error changes nothing.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"

const COMMAND = __COMMAND__
const PATIENCE = 30_000 // milliseconds

const run = (event) =>
  new Promise((resolve) => {
    const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const timer = setTimeout(() => child.kill(), PATIENCE)
    let output = ""
    child.stdout.on("data", (data) => (output += data))
    child.on("error", () => resolve(""))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(output).hookSpecificOutput.additionalContext)
      } catch {
        resolve("")
      }
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })

// `opencode run` puts quotation marks around a prompt with spaces.
const unquoted = (text) => text.replace(/^"([^"]*)"\s*$/, "$1")

const textOf = (parts) =>
  parts
    .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join("\n\n")

export const Aforesaid = async ({ client, directory, worktree }) => {
  const cwd = worktree && worktree !== "/" ? worktree : directory
  const started = new Set()
  const subagents = new Map()

  const isSubagent = async (id) => {
    if (!subagents.has(id)) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined)
      subagents.set(id, Boolean(found?.data?.parentID))
    }
    return subagents.get(id)
  }

  const answered = async (sessionID) => {
    const found = await client.session.messages({ path: { id: sessionID } }).catch(() => undefined)
    const last = found?.data?.at(-1)
    if (last?.info?.role !== "assistant") return
    const event = { hook_event_name: "Stop", session_id: sessionID, prompt_id: last.info.id, cwd }
    await run({ ...event, last_assistant_message: textOf(last.parts) })
  }

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      if (await isSubagent(id)) return
      const base = { session_id: id, cwd, prompt_id: output.message.id }
      const texts = []
      if (!started.has(id)) {
        started.add(id)
        const earlier = await client.session.messages({ path: { id } }).catch(() => undefined)
        const source = earlier?.data?.length ? "resume" : "startup"
        texts.push(await run({ ...base, hook_event_name: "SessionStart", source }))
      }
      texts.push(await run({ ...base, hook_event_name: "UserPromptSubmit", prompt: unquoted(textOf(output.parts)) }))
      const text = texts.filter(Boolean).join("\n\n")
      if (!text) return
      const part = { id: `prt_${randomBytes(13).toString("hex")}`, sessionID: id, messageID: output.message.id }
      output.parts.push({ ...part, type: "text", text, synthetic: true })
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      if (!id || !started.has(id) || (await isSubagent(id))) return
      if (event.type === "session.idle") await answered(id)
      if (event.type === "session.compacted") await run({ hook_event_name: "PreCompact", session_id: id, cwd })
      if (event.type === "session.deleted") await run({ hook_event_name: "SessionEnd", session_id: id, cwd })
    },
  }
}
