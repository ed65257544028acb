/** The recipes of the server, each with what it is for. */
export const RECIPES = [
  { name: "balanced", about: "general chat" },
  { name: "window", about: "the last messages" },
  { name: "project", about: "large, with fixed shares" },
  { name: "rolling", about: "a rolling summary and what follows" },
  { name: "retrieval", about: "recalled text and the last messages" },
] as const;
