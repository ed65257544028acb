CREATE TABLE "conversations" (
   "id" TEXT PRIMARY KEY,
   "name" TEXT,
   "model" TEXT
);
INSERT INTO "conversations" VALUES('01m7pd0x85gygf9ysm4cfswtqt','My dog is called Rex','scripted');
INSERT INTO "conversations" VALUES('01m7pd13sbh7kr466e5x8pw4rn','What is the weather in Porto?','scripted');
INSERT INTO "conversations" VALUES('01m7pd16q1t334b0z5knbckz28','the file text Summarise','scripted');
CREATE TABLE "fragments" (
   "id" INTEGER PRIMARY KEY,
   "hash" TEXT,
   "content" TEXT,
   "datetime_utc" TEXT,
   "source" TEXT
);
INSERT INTO "fragments" VALUES(1,'4825ab1c97359317f8a6cf583606b999c921dbd6ef32d4a6f10d256101a85bfe','the file text
','2026-02-18 04:00:56','/home/ada/frag.txt');
CREATE TABLE "prompt_fragments" (
   "response_id" TEXT REFERENCES "responses"("id"),
   "fragment_id" INTEGER REFERENCES "fragments"("id"),
   "order" INTEGER,
   PRIMARY KEY ("response_id", "fragment_id", "order")
);
INSERT INTO "prompt_fragments" VALUES('01m7pd16q1t334b0z5knbckz27',1,0);
CREATE TABLE "responses" (
   "id" TEXT PRIMARY KEY,
   "model" TEXT,
   "prompt" TEXT,
   "system" TEXT,
   "prompt_json" TEXT,
   "options_json" TEXT,
   "response" TEXT,
   "response_json" TEXT,
   "conversation_id" TEXT REFERENCES "conversations"("id"),
   "duration_ms" INTEGER,
   "datetime_utc" TEXT,
   "input_tokens" INTEGER,
   "output_tokens" INTEGER,
   "token_details" TEXT,
   "schema_id" TEXT REFERENCES "schemas"("id")
);
INSERT INTO "responses" VALUES('01m7pd0x85gygf9ysm4cfswtqs','scripted','My dog is called Rex','Be kind',NULL,'{}','You said: My dog is called Rex',NULL,'01m7pd0x85gygf9ysm4cfswtqt',0,'2026-02-18T04:00:46.853316+00:00',NULL,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01m7pd10bn780sf1ajm3ehzmjm','scripted','What is my dog called?',NULL,NULL,'{}','You said: What is my dog called?',NULL,'01m7pd0x85gygf9ysm4cfswtqt',0,'2026-02-18T04:00:50.037364+00:00',NULL,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01m7pd13snsj3fxpbtm4fyvck1','scripted','What is the weather in Porto?',NULL,NULL,'{}','Let me look. ',NULL,'01m7pd13sbh7kr466e5x8pw4rn',0,'2026-02-18T04:00:53.557853+00:00',NULL,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01m7pd13snsj3fxpbtm4fyvck2','scripted','',NULL,NULL,'{}','It is sunny in Porto',NULL,'01m7pd13sbh7kr466e5x8pw4rn',0,'2026-02-18T04:00:53.557933+00:00',NULL,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01m7pd16q1t334b0z5knbckz27','scripted','Summarise',NULL,NULL,'{}','You said: the file text

Summarise',NULL,'01m7pd16q1t334b0z5knbckz28',0,'2026-02-18T04:00:56.545324+00:00',NULL,NULL,NULL,NULL);
CREATE TABLE "tool_calls" (
   "id" INTEGER PRIMARY KEY,
   "response_id" TEXT REFERENCES "responses"("id"),
   "tool_id" INTEGER REFERENCES "tools"("id"),
   "name" TEXT,
   "arguments" TEXT,
   "tool_call_id" TEXT
);
INSERT INTO "tool_calls" VALUES(1,'01m7pd13snsj3fxpbtm4fyvck1',1,'weather','{"city": "Porto"}','c1');
CREATE TABLE "tool_results" (
   "id" INTEGER PRIMARY KEY,
   "response_id" TEXT REFERENCES "responses"("id"),
   "tool_id" INTEGER REFERENCES "tools"("id"),
   "name" TEXT,
   "output" TEXT,
   "tool_call_id" TEXT,
   "instance_id" INTEGER REFERENCES "tool_instances"("id")
);
INSERT INTO "tool_results" VALUES(1,'01m7pd13snsj3fxpbtm4fyvck2',1,'weather','sunny in Porto','c1',NULL);
CREATE TABLE "tools" (
   "id" INTEGER PRIMARY KEY,
   "hash" TEXT,
   "name" TEXT,
   "description" TEXT,
   "input_schema" TEXT
, "plugin" TEXT);
INSERT INTO "tools" VALUES(1,'d0e818c9448705802180a3cdce8ff446eb9b8a33a4771a9bce9eb86061dab231','weather','weather','{"properties": {"city": {"type": "string"}}, "required": ["city"], "type": "object"}','scripted');
