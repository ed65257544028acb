import { Tabs } from "../../parts/Tabs";
import { ViewHead } from "../../parts/ViewHead";
import { go } from "../../store/route";
import type { ViewProps } from "../views";
import { Audit } from "./Audit";
import { ExportImport } from "./ExportImport";
import { Forget } from "./Forget";
import "./Privacy.css";
import { ProfileTab } from "./ProfileTab";

const TABS = ["profile", "audit", "forget", "export"] as const;
type Tab = (typeof TABS)[number];

/** The privacy view: profile, audit log, forget, export and import. */
export default function Privacy({ space, rest }: ViewProps) {
  const tab: Tab = TABS.find((each) => each === rest[0]) ?? "profile";
  return (
    <div class="view privacy">
      <ViewHead
        title="Privacy"
        about="What is stored about you with your consent, who used it, and how to erase or export it."
      />
      <Tabs
        label="Privacy"
        tabs={[
          ["profile", "Profile"],
          ["audit", "Audit log"],
          ["forget", "Forget"],
          ["export", "Export and import"],
        ]}
        chosen={tab}
        choose={(name) => go("privacy", name)}
      >
        {tab === "profile" && <ProfileTab key={space} space={space} />}
        {tab === "audit" && <Audit key={space} space={space} />}
        {tab === "forget" && <Forget key={`${space} ${rest.join(" ")}`} space={space} rest={rest.slice(1)} />}
        {tab === "export" && <ExportImport key={space} space={space} />}
      </Tabs>
    </div>
  );
}
