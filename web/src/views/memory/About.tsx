import { decide, type Fact, facts } from "../../api/facts";
import { consent, type ProfileField, profile, removeField } from "../../api/profile";
import { Button } from "../../parts/Button";
import { MessageLink } from "../../parts/MessageLink";
import { counted } from "../../parts/numbers";
import { Empty, Failure, Loading } from "../../parts/States";
import { sentence } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { LOSSES, useReloadOn } from "../../store/changes";
import { useLast } from "../../store/last";
import { useLoaded } from "../../store/loaded";
import { linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { aboutGroups } from "./groups";
import { asQuery, type Moment } from "./moment";

const MOST = 2000;

interface AboutProps {
  space: string;
  moment: Moment;
}

/** All that counts as true, to be read by the person it is about. */
export function About({ space, moment }: AboutProps) {
  const found = useLoaded((signal) => facts(space, asQuery(moment), MOST, signal), [space, moment]);
  const known = useLoaded(() => allowed(space, moment), [space, moment]);
  useReloadOn(["fact", ...LOSSES], found.reload);
  useReloadOn(["profile", "consent"], known.reload);
  const shown = useLast(found.value, space);
  const fields = useLast(known.value, space) ?? [];
  if (found.problem && !found.value) return <Failure problem={found.problem} retry={found.reload} />;
  if (!shown) return <Loading label="Reading what is known" lines={8} />;

  const groups = aboutGroups(shown.items);
  if (groups.length === 0 && fields.length === 0) {
    return (
      <Empty icon="user" title="Nothing is known about you">
        <p>What you say about yourself in a conversation will stand here, with the words that say it.</p>
      </Empty>
    );
  }
  const reject = (fact: Fact) =>
    attempt(async () => {
      await decide(space, fact.id, "reject");
      say("It is not believed any more, nor proposed again.");
      found.reload();
    });
  const remove = (field: ProfileField) =>
    attempt(async () => {
      await removeField(space, field.name, false);
      say("It is taken out of the profile.");
      known.reload();
    });
  return (
    <div class="about">
      <p class="quiet">
        {counted(shown.items.length, "fact")}, each from your own words or written down by hand.
        {shown.more && " These are the first of them."}
      </p>
      {known.problem && <p role="alert">Your profile could not be read: {known.problem.message}</p>}
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
            Kept with your consent; see <a href={linkTo("privacy")}>Privacy</a>.
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
    </div>
  );
}

/** The profile's fields; none where nobody agreed to a profile, which is not even read then. */
async function allowed(space: string, moment: Moment): Promise<ProfileField[]> {
  if (!(await consent(space)).granted) return [];
  const found = await profile(space, asQuery(moment));
  return found.free === null ? found.fields : [...found.fields, found.free];
}

function Origin({ fact }: { fact: Fact }) {
  const [first] = fact.evidence;
  if (first === undefined) return <span class="small quiet"> written down by hand</span>;
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
  if (field.conversation === null || field.message_id === null) return "from the profile form or a program";
  return (
    <MessageLink conversation={field.conversation} id={field.message_id}>
      said in {field.conversation}
    </MessageLink>
  );
}

function Wrong({ what, run }: { what: string; run: () => void }) {
  return (
    <Button kind="ghost" icon="flag" onClick={run} aria-label={`That is wrong: ${what}`}>
      That is wrong
    </Button>
  );
}
