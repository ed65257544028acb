/** True if messages are searched: at least two characters, or one in a script in which one can be a word. */
export function isSearchable(words: string): boolean {
  return [...words].length > 1 || /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(words);
}
