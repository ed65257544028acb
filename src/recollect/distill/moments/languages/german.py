"""German."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

HABE = r"(?:(?:wir|ich) (?:haben|habe|hab)|(?:haben|habe|hab) (?:wir|ich))"
TROUBLE = "fehler|problem|ursache|bug|leck|absturz|schwachstelle|engpass"

GERMAN = Ways(
    code="de",
    says={
        "decision_made": rf"{HABE}(?: (?:uns|mich))?(?: (?!nicht|noch|nie|kaum)[\w.-]+){{0,7}} (?:entschieden"
        rf"|beschlossen|geeinigt|festgelegt)"
        r"|wir (?:nehmen jetzt|bleiben bei|gehen mit|setzen auf)|(?:die|unsere|meine) entscheidung (?:ist gefallen"
        r"|steht|lautet)|es ist entschieden",
        "problem_solved": rf"{HABE}(?: (?!nicht|noch|nie|kaum)[\w.-]+){{0,5}} (?:behoben|gelöst|repariert|gefixt"
        rf"|hinbekommen)"
        rf"|(?:{TROUBLE}) (?:ist|sind|wurde)(?: jetzt| nun| endlich)? (?:behoben|gelöst|weg|verschwunden)"
        r"|(?:funktioniert|läuft|klappt|geht)(?: (?:jetzt|nun|alles))* (?:wieder|jetzt|endlich)|das war'?s|daran"
        r" lag es|problem gelöst",
        "breakthrough": r"(?:ein|der|großer|echter) durchbruch|heureka|(?:endlich|plötzlich) (?:verstanden|kapiert"
        r"|begriffen|herausgefunden|geschafft)"
        r"|jetzt (?:verstehe|kapiere|weiß) ich|klick gemacht|\d+ ?(?:-?mal|x) schneller",
        "issue_identified": rf"(?:die|das|der|unser|unsere)(?: eigentliche[rs]?)? (?:{TROUBLE}) (?:ist|war|liegt"
        rf"|lag|kommt|kam)(?! (?:behoben|gelöst|weg|jetzt|nicht))"
        rf"|{HABE}(?: (?!nicht|noch|kein\w*)[\w.-]+){{0,3}} (?:{TROUBLE})(?: [\w.-]+){{0,3}} (?:gefunden|entdeckt"
        rf"|bemerkt)|(?:stürzt|bricht) (?:\w+ ){{0,2}}(?:ständig|dauernd|immer wieder) (?:\w+ )?(?:ab|zusammen)"
        r"|(?:die seite|der server|die produktion|der build|die datenbank) ist (?:down|offline|kaputt|ausgefallen)",
        "task_completed": rf"{HABE}(?: (?!nicht|noch|nie|kaum)[\w.-]+){{0,5}} (?:fertiggestellt|abgeschlossen"
        rf"|abgegeben|veröffentlicht|ausgeliefert|eingereicht|unterschrieben|bestanden|deployt|gemergt)"
        r"|(?:ist|sind) (?:jetzt |nun |endlich )?(?:live|fertig|abgeschlossen|online gegangen|veröffentlicht)",
        "pivot": rf"planänderung|kurswechsel|{HABE}(?: (?!nicht)[\w.-]+){{0,3}} (?:meine|unsere) meinung geändert"
        rf"|(?:ich|wir) (?:habe|haben) (?:es )?(?:mir|uns) anders überlegt"
        r"|wir (?:verwerfen|steigen um auf|wechseln (?:jetzt )?(?:von|zu)|fangen (?:noch ?mal |wieder )?von vorn)"
        r"|neuer plan|doch lieber",
    },
    denied=r"nicht|nie|kein|keine|keinen|noch nicht|wenn|sobald|bis|bevor|falls|ob|damit|will|wollen|möchte"
    r"|möchten|hoffe|hoffentlich|warum|wie|was|wo|wer|muss|müssen|soll|er|du|ihr|bitte",
    breaks="aber|und|denn|weil|dann|doch|jedoch|sondern",
    strong=r"endlich|riesig\w*|groß\w*|wichtig\w*|kritisch\w*|dringend\w*|nach (?:wochen|monaten|tagen|stunden"
    r"|jahren)|endgültig|offiziell",
    remember=r"(?:merke? dir(?: bitte)?|vergiss(?: bitte)? nicht|vergesst nicht|denk (?:bitte )?(?:daran|dran)"
    r"|behalte im kopf|notiere?(?: dir)?|schreib dir auf)(?: ?:|,? (?:dass|ich|mein\w*|wir|unser\w*))",
    events=r"termin\w*|besprechung\w*|meeting\w*|treffen|frist|abgabe\w*|deadline|vorstellungsgespräch|flug|fliege"
    r"|fliegen|prüfung|klausur|zahnarzt\w*|arzt\w*|operation|hochzeit|geburtstag"
    r"|präsentation|konzert|konferenz|reservierung|zug|besuch\w*|umzug|feier|verhandlung|besichtigung|urlaub",
    past=r"hatten?|war|waren|gestern|vorgestern|letzte\w*|gewesen",
    glad=stems("gut super toll freu glücklich froh danke erfolg perfekt endlich geschafft liebe klasse prima stolz"
    " erleicht besser funktioniert gelöst"),
    sad=stems("schlecht schlimm traurig wütend fehler problem kaputt absturz leider verloren ärger frust sorge"
    " angst schwierig falsch hass enttäusch verspät"),
    believed=r"(?:ich|wir) (?:dachten?|glaubten?|meinten?|hatten? (?:gedacht|geglaubt))|(?:dachten?|glaubten?) (?:ich"
    r"|wir)",
    undone=r"(?:dachten?|glaubten?|hofften?) (?:ich|wir)|(?:aber|doch|nur|leider|jedoch),? (?:[\w]+"
    r" ){0,4}(?:(?:immer )?noch (?:immer )?(?:da|kaputt|nicht|vorhanden|auf)|wieder (?:da|kaputt|zurück|aufgetaucht"
    r"|aufgetreten|auf)|(?:kam|kommt|kehrte)(?: \w+)? (?:wieder|zurück))",
)  # fmt: skip
