import { useState } from "preact/hooks";
import { type ConsentResponse, consent, type Profile, profile, setConsent } from "../../api/profile";
import { Switch } from "../../parts/Field";
import { Failure, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { useReloadOn } from "../../store/changes";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { FreeText, ProfileFields } from "./ProfileFields";
import { type Proof, RevocationReport } from "./RevocationReport";
import { RevokeDialog } from "./RevokeDialog";

/** The consent and, once given, the profile. */
export function ProfileTab({ space }: { space: string }) {
  const agreed = useLoaded(() => consent(space), [space]);
  const granted = agreed.value?.granted ?? false;
  const known = useLoaded(async () => (granted ? profile(space) : null), [space, granted]);
  const [revoking, setRevoking] = useState(false);
  const [proof, setProof] = useState<Proof>();
  useReloadOn(["consent"], agreed.reload);
  useReloadOn(["profile"], known.reload);

  if (agreed.problem && !agreed.value) return <Failure problem={agreed.problem} retry={agreed.reload} />;
  if (!agreed.value) return <Loading label="Loading consent" />;
  const grant = () =>
    attempt(async () => {
      await setConsent(space, true, "given on the page");
      setProof(undefined);
      agreed.reload();
      say("Consent given. A profile can now be stored.");
    });
  return (
    <div class="stack">
      <ConsentCard
        answer={agreed.value}
        change={(on) => {
          if (on) void grant();
          else setRevoking(true);
        }}
      />
      {proof && <RevocationReport proof={proof} />}
      {known.problem && !known.value && <Failure problem={known.problem} retry={known.reload} />}
      {granted && known.value && <Kept space={space} profile={known.value} changed={known.reload} />}
      {revoking && (
        <RevokeDialog
          space={space}
          profile={known.value ?? null}
          close={() => setRevoking(false)}
          done={(made) => {
            setProof(made);
            agreed.reload();
          }}
        />
      )}
    </div>
  );
}

function ConsentCard({ answer, change }: { answer: ConsentResponse; change: (on: boolean) => void }) {
  return (
    <section class="card consent" data-granted={answer.granted} aria-label="Consent">
      <Switch
        label="Store a profile of me"
        checked={answer.granted}
        change={change}
        hint={
          answer.granted
            ? "The profile is part of every context that a model receives, and recall can find it. Turning this off erases it with its whole history."
            : "Without your consent, no profile is stored or read. With it, the profile below is part of every context that a model receives. The audit log records every use."
        }
      />
      {answer.at !== null && (
        <p class="small quiet">
          {answer.granted ? "Granted" : "Revoked"} <Time at={answer.at} /> by {answer.by ?? "unknown"}
          {answer.note !== null && `: ${answer.note}`}
        </p>
      )}
    </section>
  );
}

function Kept({ space, profile, changed }: { space: string; profile: Profile; changed: () => void }) {
  return (
    <>
      <ProfileFields space={space} fields={profile.fields} changed={changed} />
      <FreeText key={profile.free?.set_at ?? ""} space={space} free={profile.free} changed={changed} />
    </>
  );
}
