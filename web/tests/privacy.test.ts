import { describe, expect, test } from "vitest";
import { fromField, toField } from "../src/parts/inputs";
import { counted } from "../src/parts/numbers";
import { byTable } from "../src/parts/traces";
import { draftOf, requestOf } from "../src/views/privacy/forgetTarget";
import { detailText, parseValue, shown, typeOf } from "../src/views/privacy/values";

describe("values of a profile", () => {
  test("have the selected type, or are undefined", () => {
    expect(parseValue(" Lisbon ", "text")).toBe("Lisbon");
    expect(parseValue("2.5", "number")).toBe(2.5);
    expect(parseValue("two", "number")).toBeUndefined();
    expect([parseValue("yes", "yes or no"), parseValue("no", "yes or no"), parseValue("maybe", "yes or no")]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(parseValue("   ", "text")).toBeUndefined();
  });

  test("are shown unchanged", () => {
    for (const value of ["Lisbon", 0, 2.5, true, false]) expect(parseValue(shown(value), typeOf(value))).toBe(value);
  });
});

test("the details of an audit entry leave out false values", () => {
  expect(detailText({ fields: ["city", "diet"], text: false, erased: true, note: null })).toBe(
    "fields: city, diet; erased: yes",
  );
  expect(detailText({ fields: [], text: false })).toBe("");
});

describe("a forget target", () => {
  test("is parsed from the address", () => {
    expect(requestOf(draftOf(["fact", "f1"]))).toEqual({ fact: "f1" });
    expect(requestOf(draftOf(["message", "trip", "m1"]))).toEqual({ message: "m1" });
    expect(requestOf(draftOf(["conversation", "a/b"]))).toEqual({ conversation: "a/b" });
    expect(requestOf(draftOf(["everything"]))).toEqual({ everything: true });
  });

  test("is undefined while the form is incomplete", () => {
    for (const target of ["message", "conversation", "fact", "before", "nonsense"]) {
      expect(requestOf(draftOf([target]))).toBeUndefined();
    }
    expect(requestOf({ ...draftOf(["before"]), before: "not a date" })).toBeUndefined();
  });
});

test("counts have the right plural", () => {
  expect([counted(1, "summary"), counted(2, "summary"), counted(0, "fact")]).toEqual([
    "1 summary",
    "2 summaries",
    "0 facts",
  ]);
  expect([counted(3, "access"), counted(6, "mention of time"), counted(2, "key")]).toEqual([
    "3 accesses",
    "6 mentions of time",
    "2 keys",
  ]);
});

test("matches are counted by table", () => {
  const place = (where: string) => ({ where, at: "1", what: "text" as const });
  expect(byTable([place("facts.text"), place("messages.text"), place("messages.text"), place("/tmp/x")])).toEqual([
    ["messages", 2],
    ["/tmp/x", 1],
    ["facts", 1],
  ]);
});

test("a time survives the round trip through a form field", () => {
  expect(fromField(toField("2026-05-10T17:30:00.000Z"))).toBe("2026-05-10T17:30:00.000Z");
  expect([toField(null), toField("nonsense"), fromField(""), fromField("nonsense")]).toEqual(["", "", null, null]);
});
