"""Dutch."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

HEBBEN = r"(?:(?:we|wij|ik) (?:hebben|heb)|(?:hebben|heb) (?:we|wij|ik))"
TROUBLE = "fout|probleem|oorzaak|bug|lek|storing|crash"

DUTCH = Ways(
    code="nl",
    says={
        "decision_made": rf"{HEBBEN}(?: (?!niet|nog|nooit)[\w.-]+){{0,6}} (?:besloten|gekozen|afgesproken)|we"
        rf" (?:gaan voor|kiezen voor|blijven bij)|(?:de|onze|mijn) beslissing is (?:genomen|gevallen)|het is"
        rf" besloten",
        "problem_solved": rf"{HEBBEN}(?: (?!niet|nog|nooit)[\w.-]+){{0,5}} (?:opgelost|gerepareerd|verholpen"
        rf"|gefixt)|(?:{TROUBLE}) is (?:nu |eindelijk )?(?:opgelost|verholpen|weg)"
        r"|(?:het|alles) (?:werkt|doet het) (?:nu|weer|eindelijk)|probleem opgelost|dat was het",
        "breakthrough": r"(?:een|grote|echte) doorbraak|eureka|(?:eindelijk|plotseling) (?:begrepen|gesnapt|gelukt"
        r"|ontdekt)|nu (?:begrijp|snap) ik|\d+ keer (?:zo snel|sneller)",
        "issue_identified": rf"(?:de|het|ons|onze)(?: echte| eigenlijke)? (?:{TROUBLE}) (?:is|was|ligt|lag|komt"
        rf"|kwam|zit|zat)(?! (?:opgelost|verholpen|weg|nu|niet))"
        rf"|{HEBBEN}(?: (?!niet|nog|geen)[\w.-]+){{0,3}} (?:{TROUBLE})(?: [\w.-]+){{0,3}} (?:gevonden|ontdekt)"
        rf"|(?:de site|de server|productie) (?:is|ligt) (?:down|plat|eruit|offline)",
        "task_completed": rf"{HEBBEN}(?: (?!niet|nog|nooit)[\w.-]+){{0,5}} (?:afgerond|ingeleverd|gepubliceerd"
        rf"|opgeleverd|uitgerold|verstuurd|ondertekend|gehaald)"
        r"|(?:is|zijn) (?:nu |eindelijk )?(?:live|afgerond|klaar en ingeleverd|gepubliceerd|opgeleverd)",
        "pivot": rf"verandering van plan|koerswijziging|{HEBBEN}(?: (?!niet)[\w.-]+){{0,2}} van (?:gedachten"
        rf"|mening) veranderd|{HEBBEN}(?: [\w.-]+){{0,2}} bedacht dat we toch|we (?:stappen over (?:op|naar)"
        rf"|beginnen opnieuw|stoppen met)|nieuw plan|toch maar",
    },
    denied=r"niet|nooit|geen|wanneer|als|zodra|tot|voordat|of|wil|willen|zou|hoop|hopelijk|waarom|hoe|wat|waar|wie"
    r"|moet|moeten|hij|zij|jij|je",
    breaks="maar|en|want|dus|dan|omdat",
    strong=r"eindelijk|enorm\w*|grote?|kritiek\w*|kritisch\w*|dringend\w*|officieel|na (?:weken|maanden|dagen|uren"
    r"|jaren)|definitief",
    remember=r"(?:onthoud|vergeet niet|denk eraan|denk erom|houd in gedachten|noteer|schrijf op)(?: ?:|,? (?:dat"
    r"|ik|mijn|we|wij|onze|ons))",
    events=r"afspraak|vergadering|deadline|sollicitatiegesprek|gesprek|vlucht|examen|tentamen|tandarts|dokter"
    r"|huisarts|operatie|bruiloft|verjaardag|presentatie|concert|conferentie|reservering|trein|bezoek|verhuizing"
    r"|feest|zitting|oplevering",
    past=r"had|hadden|was|waren|gisteren|vorige|afgelopen",
    glad=stems("goed geweldig blij gelukkig dank succes perfect eindelijk gelukt trots fijn mooi beter opgelucht"
    " leuk"),
    sad=stems("slecht verdrietig boos fout probleem kapot storing helaas kwijt bang zorg moeilijk verkeerd erger"
    " frustr teleurgesteld vertrag"),
    believed=r"(?:ik|we|wij) (?:dacht|dachten|geloofde|geloofden)|(?:dacht|dachten) (?:ik|we|wij)",
    undone=r"(?:dacht|dachten|hoopte|hoopten) (?:ik|we|wij)|maar,? (?:\w+ ){0,4}?(?:nog (?:steeds|altijd) (?:stuk"
    r"|kapot|er|niet|aanwezig)|weer (?:terug|stuk|kapot|er)|(?:kwam|komt|is) (?:weer )?terug|werkt (?:nog )?niet)",
)  # fmt: skip
