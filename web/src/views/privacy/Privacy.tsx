import { Tabs } from "../../parts/Tabs";
import { ViewHead } from "../../parts/ViewHead";
import { go } from "../../store/route";
import type { ViewProps } from "../views";
import { Audit } from "./Audit";
import { Forget } from "./Forget";
import { Portable } from "./Portable";
import "./Privacy.css";
import { ProfileTab } from "./ProfileTab";

const TABS = ["profile", "audit", "forget", "export"] as const;
type Tab = (typeof TABS)[number];

/** What is kept of a person with their consent, who used it, and the ways out: forget, or take it along. */
export default function Privacy({ space, rest }: ViewProps) {
  const tab: Tab = TABS.find((one) => one === rest[0]) ?? "profile";
  return (
    <div class="view privacy">
      <ViewHead title="Privacy" about="What is kept of you with your consent, who used it, and how to take it back." />
      <Tabs
        label="Privacy"
        tabs={[
          ["profile", "Profile"],
          ["audit", "Audit"],
          ["forget", "Forget"],
          ["export", "Export"],
        ]}
        chosen={tab}
        choose={(one) => go("privacy", one)}
      >
        {tab === "profile" && <ProfileTab key={space} space={space} />}
        {tab === "audit" && <Audit key={space} space={space} />}
        {tab === "forget" && <Forget key={`${space} ${rest.join(" ")}`} space={space} rest={rest.slice(1)} />}
        {tab === "export" && <Portable key={space} space={space} />}
      </Tabs>
    </div>
  );
}
