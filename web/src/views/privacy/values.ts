// Formats and parses profile values and audit entries.
import type { AuditEntry, ProfileField } from "../../api/profile";

export type ValueType = "text" | "number" | "yes or no";
export const VALUE_TYPES: readonly ValueType[] = ["text", "number", "yes or no"];

export function typeOf(value: ProfileField["value"]): ValueType {
  return typeof value === "boolean" ? "yes or no" : typeof value === "number" ? "number" : "text";
}

/** The value of a form field; undefined if it does not have the type. */
export function parseValue(text: string, type: ValueType): ProfileField["value"] | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (type === "text") return trimmed;
  if (type === "yes or no") return trimmed === "yes" ? true : trimmed === "no" ? false : undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}

export function shown(value: ProfileField["value"]): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** The details of an audit entry, without empty and false values. */
export function detailText(detail: AuditEntry["detail"]): string {
  return Object.entries(detail)
    .flatMap(([name, value]) => {
      const label = Array.isArray(value) ? value.join(", ") : value === true ? "yes" : String(value ?? "");
      return label === "" || value === false ? [] : [`${name}: ${label}`];
    })
    .join("; ");
}
