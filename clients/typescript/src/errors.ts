// The errors of the server, with the names of the Python API. `code` is for programs, the message for people.

/** The base of every error that the server or this client raises. */
export class AforesaidError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: string;

  constructor(message: string, status = 0, code = "error", options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.status = status;
    this.code = code;
  }
}

/** An argument is not valid. Nothing was written. */
export class InvalidInput extends AforesaidError {}
/** No language model can answer; the message says how to configure one. Nothing was written. */
export class NoModel extends InvalidInput {}
/** The required parts of a context do not fit into its tokens. */
export class BudgetExceeded extends InvalidInput {}
/** The space has no record with that id. */
export class NotFound extends AforesaidError {}
/** Another record has the id. */
export class ConflictError extends AforesaidError {}
/** The space has no consent for a profile. Nothing was written. */
export class ConsentNeeded extends AforesaidError {}
/** Not possible in the current state of the conversation. */
export class StateError extends AforesaidError {}
/** The space is on hold. Nothing was erased. */
export class OnHold extends AforesaidError {}
/** The server is closing. */
export class ClosedError extends AforesaidError {}
/** Background work did not end in time. It continues. */
export class NotFinished extends AforesaidError {}
/** A model or embedder cannot answer now; try again later. */
export class ProviderError extends AforesaidError {}
/** The daily tokens are spent. No model was called. */
export class CapReached extends ProviderError {}
/** A model or embedder will never answer this request. */
export class ProviderRefused extends ProviderError {}
/** The database failed. */
export class StoreError extends AforesaidError {}
/** Other processes held the write lock for too long. */
export class StoreBusy extends StoreError {}
/** The disk is full. Acknowledged writes are safe. */
export class StoreFull extends StoreError {}
/** The request was refused before it ran: a missing key, a wrong address, a body that is too large. */
export class Refusal extends AforesaidError {}
/** The request has no key, or an unknown or revoked one. */
export class Unauthenticated extends Refusal {}
/** The key does not allow the request. */
export class Forbidden extends Refusal {}
/** The caller exceeds a limit. */
export class TooManyRequests extends Refusal {}
/** No response arrived, or not the whole of it. */
export class ConnectionFailed extends AforesaidError {}

export const ERRORS: Readonly<Record<string, typeof AforesaidError>> = {
  invalid_input: InvalidInput,
  no_model: NoModel,
  budget_exceeded: BudgetExceeded,
  not_found: NotFound,
  conflict: ConflictError,
  consent_needed: ConsentNeeded,
  wrong_state: StateError,
  on_hold: OnHold,
  closing: ClosedError,
  not_finished: NotFinished,
  model_unavailable: ProviderError,
  cap_reached: CapReached,
  model_refused: ProviderRefused,
  store_error: StoreError,
  store_busy: StoreBusy,
  store_full: StoreFull,
  store_damaged: StoreError,
  store_moved: StoreError,
  key_needed: Unauthenticated,
  forbidden: Forbidden,
  too_many_requests: TooManyRequests,
  issuer_unavailable: Refusal,
  misdirected: Refusal,
  malformed: Refusal,
  unsupported_media_type: Refusal,
  which_space: Refusal,
  too_large: Refusal,
  in_doubt: Refusal,
};

/** The error that a problem (RFC 9457) of the server describes. */
export function errorOf(problem: unknown, status: number): AforesaidError {
  const { code, detail } = (problem ?? {}) as { code?: unknown; detail?: unknown };
  if (typeof code !== "string") return new AforesaidError(`the server answered with status ${status}`, status);
  return new (ERRORS[code] ?? AforesaidError)(typeof detail === "string" ? detail : code, status, code);
}
