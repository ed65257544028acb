// Names of models as people call them.

/** The name of a model without its provider or address: "qwen3" for "http://127.0.0.1:11434/v1#qwen3". */
export function modelName(model: string): string {
  const address = /^https?:\/\/[^#]*#(.+)$/i.exec(model);
  const provider = /^[a-z][\w-]*:(?!\/\/)(.+)$/i.exec(model);
  return address?.[1] ?? provider?.[1] ?? model;
}

/** Where a model is: its provider, or the host of its address; null if its name does not say. */
export function modelPlace(model: string): string | null {
  const address = /^https?:\/\/([^/#]+)/i.exec(model);
  const provider = /^([a-z][\w-]*):(?!\/\/)/i.exec(model);
  return address?.[1] ?? provider?.[1] ?? null;
}
