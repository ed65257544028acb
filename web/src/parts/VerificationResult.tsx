import type { Verification } from "../api/erasures";
import { Icon } from "./Icon";
import { counted } from "./numbers";
import { byTable } from "./traces";
import "./VerificationResult.css";

/** What a search of the whole store for an erased text found. */
export function VerificationResult({ text, result }: { text: string; result: Verification }) {
  const clean = result.found.length === 0;
  const size = `${result.tables.length} tables and ${result.files.length} files, ${result.bytes.toLocaleString()} bytes`;
  return (
    <div class="seen" data-clean={clean} role="status">
      <p>
        <Icon name={clean ? "check" : "warning"} size={16} />
        <span>
          {clean ? `“${text}” was not found.` : `“${text}” was found in ${counted(result.found.length, "place")}.`}{" "}
          Checked {size}.
        </span>
      </p>
      {!clean && (
        <ul>
          {byTable(result.found).map(([table, count]) => (
            <li key={table}>
              {table} <span class="quiet">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
