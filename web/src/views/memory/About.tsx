import { decide, type Fact, facts } from "../../api/facts";
import { about, consent, type ProfileField, profile, removeField } from "../../api/profile";
import { Button } from "../../parts/Button";
import { MessageLink } from "../../parts/MessageLink";
import { counted } from "../../parts/numbers";
import { Empty, Failure, Loading } from "../../parts/States";
import { sentence } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { LOSSES, useReloadOn } from "../../store/changes";
import { linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { useLast } from "../../store/useLast";
import { useLoaded } from "../../store/useLoaded";
import { aboutGroups } from "./groups";
import { asQuery, type Moment, NOW } from "./moment";

const MOST = 2000;
const PORTRAIT = 600; // tokens

interface AboutProps {
  space: string;
  moment: Moment;
}

/** All active facts on one page, for the person they are about. */
export function About({ space, moment }: AboutProps) {
  const loaded = useLoaded((signal) => facts(space, asQuery(moment), MOST, signal), [space, moment]);
  const known = useLoaded(() => allowed(space, moment), [space, moment]);
  const portrait = useLoaded(() => about(space, PORTRAIT), [space]);
  useReloadOn(["fact", ...LOSSES], loaded.reload);
  useReloadOn(["message", ...LOSSES], portrait.reload);
  useReloadOn(["profile", "consent"], known.reload);
  const shown = useLast(loaded.value, space);
  const fields = useLast(known.value, space) ?? [];
  const items = useLast(portrait.value, space)?.items ?? [];
  const said = moment === NOW ? items.filter((item) => item.kind === "message") : [];
  if (loaded.problem && !loaded.value) return <Failure problem={loaded.problem} retry={loaded.reload} />;
  if (!shown) return <Loading label="Loading facts" lines={8} />;

  const groups = aboutGroups(shown.items);
  if (groups.length === 0 && fields.length === 0 && said.length === 0) {
    return (
      <Empty icon="user" title="No facts about you yet">
        <p>Facts that you mention in a conversation appear here, with a link to the message.</p>
      </Empty>
    );
  }
  const reject = (fact: Fact) =>
    attempt(async () => {
      await decide(space, fact.id, "reject");
      say("Marked as wrong. It will not be suggested again.");
      loaded.reload();
    });
  const remove = (field: ProfileField) =>
    attempt(async () => {
      await removeField(space, field.name, false);
      say("Removed from the profile.");
      known.reload();
    });
  return (
    <div class="about">
      <p class="quiet">
        {counted(shown.items.length, "fact")}, each from your messages or added manually.
        {shown.more && " Only the first are shown."}
      </p>
      {known.problem && <p role="alert">Could not load your profile: {known.problem.message}</p>}
      {fields.length > 0 && (
        <section aria-label="Your profile">
          <h2>Your profile</h2>
          <ul class="sayings">
            {fields.map((field) => (
              <li key={field.name}>
                <p>
                  {field.name === "" ? String(field.value) : <FieldText field={field} />}
                  <span class="small quiet"> {fieldSource(field)}</span>
                </p>
                <Wrong what={field.name || "the free text"} run={() => remove(field)} />
              </li>
            ))}
          </ul>
          <p class="small quiet">
            Stored with your consent. See <a href={linkTo("privacy")}>Privacy</a>.
          </p>
        </section>
      )}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <ul class="sayings">
            {group.facts.map((fact) => (
              <li key={fact.id}>
                <p dir="auto">
                  {sentence(fact.text)}
                  <Origin fact={fact} />
                </p>
                <Wrong what={fact.text} run={() => reject(fact)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {said.length > 0 && (
        <section aria-label="In your words">
          <h2>In your words</h2>
          <ul class="sayings">
            {said.map((item) => (
              <li key={`${item.source} ${item.text}`}>
                <p dir="auto">
                  <MessageLink conversation={item.conversation ?? ""} id={item.source}>
                    “<bdi>{item.text}</bdi>”
                  </MessageLink>{" "}
                  <span class="small quiet">
                    {item.speaker} <Time at={item.at} />
                  </span>
                </p>
              </li>
            ))}
          </ul>
          <p class="small quiet">The sentences that are most likely to matter later.</p>
        </section>
      )}
    </div>
  );
}

/** The fields of the profile. Without consent, there are none, and the profile is not read. */
async function allowed(space: string, moment: Moment): Promise<ProfileField[]> {
  if (!(await consent(space)).granted) return [];
  const stored = await profile(space, asQuery(moment));
  return stored.free === null ? stored.fields : [...stored.fields, stored.free];
}

function Origin({ fact }: { fact: Fact }) {
  const [first] = fact.evidence;
  if (first === undefined) return <span class="small quiet"> added manually</span>;
  return (
    <span class="small quiet">
      {" "}
      <MessageLink conversation={first.conversation} id={first.message_id}>
        “<bdi>{first.quote}</bdi>”
      </MessageLink>{" "}
      <Time at={first.said_at} />
    </span>
  );
}

function FieldText({ field }: { field: ProfileField }) {
  const shown = typeof field.value === "boolean" ? (field.value ? "yes" : "no") : String(field.value);
  return (
    <>
      <bdi>{sentence(field.name)}</bdi>: <bdi>{shown}</bdi>
    </>
  );
}

function fieldSource(field: ProfileField) {
  if (field.conversation === null || field.message_id === null) return "from the page or the API";
  return (
    <MessageLink conversation={field.conversation} id={field.message_id}>
      said in {field.conversation}
    </MessageLink>
  );
}

function Wrong({ what, run }: { what: string; run: () => void }) {
  return (
    <Button kind="ghost" icon="flag" onClick={run} aria-label={`Mark as wrong: ${what}`}>
      Mark as wrong
    </Button>
  );
}
