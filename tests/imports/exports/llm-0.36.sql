CREATE TABLE "conversations" (
   "id" TEXT PRIMARY KEY,
   "name" TEXT,
   "model" TEXT
);
CREATE TABLE "fragments" (
   "id" INTEGER PRIMARY KEY,
   "hash" TEXT,
   "content" TEXT,
   "datetime_utc" TEXT,
   "source" TEXT
);
INSERT INTO "fragments" VALUES(1,'4825ab1c97359317f8a6cf583606b999c921dbd6ef32d4a6f10d256101a85bfe','the file text
','2026-02-18 03:59:42','/home/ada/frag.txt');
CREATE TABLE "messages" (
   "hash" TEXT PRIMARY KEY,
   "parent_hash" TEXT REFERENCES "messages"("hash"),
   "role" TEXT,
   "provider_metadata" TEXT
);
INSERT INTO "messages" VALUES('b2:1333d939276593ca766e12181afed4b5',NULL,'system',NULL);
INSERT INTO "messages" VALUES('b2:65fd94d1f716aca024414aa3aefd2cf7','b2:1333d939276593ca766e12181afed4b5','user',NULL);
INSERT INTO "messages" VALUES('b2:f3ec0b727fe93f771071a5ab9e7392b1','b2:65fd94d1f716aca024414aa3aefd2cf7','assistant',NULL);
INSERT INTO "messages" VALUES('b2:8d119bfa075a04e870c193c8ace8ce5d','b2:f3ec0b727fe93f771071a5ab9e7392b1','user',NULL);
INSERT INTO "messages" VALUES('b2:25af615b227daa5ae442bd5e5913e67b','b2:8d119bfa075a04e870c193c8ace8ce5d','assistant',NULL);
INSERT INTO "messages" VALUES('b2:cc799bbc68f639e687759a4a91ec7a95',NULL,'user',NULL);
INSERT INTO "messages" VALUES('b2:20b2a6f80b1d8ff83766566ec09a4180','b2:cc799bbc68f639e687759a4a91ec7a95','assistant',NULL);
INSERT INTO "messages" VALUES('b2:905d7ebd8f8a258b19d12fb8ac024c0f','b2:20b2a6f80b1d8ff83766566ec09a4180','tool',NULL);
INSERT INTO "messages" VALUES('b2:585ae279291ca988afc60705b1d237d3','b2:905d7ebd8f8a258b19d12fb8ac024c0f','assistant',NULL);
INSERT INTO "messages" VALUES('b2:9ab5f0968671430c2b580061c846edb8',NULL,'user',NULL);
INSERT INTO "messages" VALUES('b2:2123c4b32e1b75af97f74307588ce060','b2:9ab5f0968671430c2b580061c846edb8','assistant',NULL);
CREATE TABLE "part_fragments" (
   "part_id" INTEGER REFERENCES "parts"("id"),
   "fragment_id" INTEGER REFERENCES "fragments"("id"),
   "order" INTEGER,
   PRIMARY KEY ("part_id", "fragment_id", "order")
);
INSERT INTO "part_fragments" VALUES(11,1,0);
CREATE TABLE "parts" (
   "id" INTEGER PRIMARY KEY,
   "message_hash" TEXT REFERENCES "messages"("hash"),
   "position" INTEGER,
   "type" TEXT,
   "tool_name" TEXT,
   "text" TEXT,
   "payload" TEXT
);
INSERT INTO "parts" VALUES(1,'b2:1333d939276593ca766e12181afed4b5',0,'text',NULL,'Be kind',NULL);
INSERT INTO "parts" VALUES(2,'b2:65fd94d1f716aca024414aa3aefd2cf7',0,'text',NULL,'My dog is called Rex',NULL);
INSERT INTO "parts" VALUES(3,'b2:f3ec0b727fe93f771071a5ab9e7392b1',0,'text',NULL,'You said: My dog is called Rex',NULL);
INSERT INTO "parts" VALUES(4,'b2:8d119bfa075a04e870c193c8ace8ce5d',0,'text',NULL,'What is my dog called?',NULL);
INSERT INTO "parts" VALUES(5,'b2:25af615b227daa5ae442bd5e5913e67b',0,'text',NULL,'You said: What is my dog called?',NULL);
INSERT INTO "parts" VALUES(6,'b2:cc799bbc68f639e687759a4a91ec7a95',0,'text',NULL,'What is the weather in Porto?',NULL);
INSERT INTO "parts" VALUES(7,'b2:20b2a6f80b1d8ff83766566ec09a4180',0,'text',NULL,'Let me look. ',NULL);
INSERT INTO "parts" VALUES(8,'b2:20b2a6f80b1d8ff83766566ec09a4180',1,'tool_call','weather',NULL,'{"name": "weather", "arguments": {"city": "Porto"}, "tool_call_id": "c1"}');
INSERT INTO "parts" VALUES(9,'b2:905d7ebd8f8a258b19d12fb8ac024c0f',0,'tool_result','weather',NULL,'{"name": "weather", "output": "sunny in Porto", "tool_call_id": "c1"}');
INSERT INTO "parts" VALUES(10,'b2:585ae279291ca988afc60705b1d237d3',0,'text',NULL,'It is sunny in Porto',NULL);
INSERT INTO "parts" VALUES(11,'b2:9ab5f0968671430c2b580061c846edb8',0,'text',NULL,NULL,'{"text_ref": [{"fragment": 1}, {"literal": "\nSummarise"}]}');
INSERT INTO "parts" VALUES(12,'b2:2123c4b32e1b75af97f74307588ce060',0,'text',NULL,'You said: the file text

Summarise',NULL);
CREATE TABLE "prompt_fragments" (
   "response_id" TEXT REFERENCES "responses"("id"),
   "fragment_id" INTEGER REFERENCES "fragments"("id"),
   "order" INTEGER,
   PRIMARY KEY ("response_id", "fragment_id", "order")
);
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
, "resolved_model" TEXT, "reasoning" TEXT);
CREATE TABLE "threads" (
   "id" TEXT PRIMARY KEY,
   "name" TEXT,
   "tip_message_hash" TEXT REFERENCES "messages"("hash"),
   "forked_from" TEXT REFERENCES "threads"("id"),
   "datetime_utc" TEXT
);
INSERT INTO "threads" VALUES('01m7pcywc69t16n5qtypkrtagb','My dog is called Rex','b2:25af615b227daa5ae442bd5e5913e67b',NULL,'2026-02-18 03:59:40.425770+00:00');
INSERT INTO "threads" VALUES('01m7pcyxs98wdafb2wj38nkfaa','What is the weather in Porto?','b2:585ae279291ca988afc60705b1d237d3',NULL,'2026-02-18 03:59:41.868958+00:00');
INSERT INTO "threads" VALUES('01m7pcyyfn8yatmy4f6jv536r1','the file text Summarise','b2:2123c4b32e1b75af97f74307588ce060',NULL,'2026-02-18 03:59:42.583855+00:00');
CREATE TABLE "tool_calls" (
   "id" INTEGER PRIMARY KEY,
   "response_id" TEXT REFERENCES "responses"("id"),
   "tool_id" INTEGER REFERENCES "tools"("id"),
   "name" TEXT,
   "arguments" TEXT,
   "tool_call_id" TEXT
);
CREATE TABLE "tool_results" (
   "id" INTEGER PRIMARY KEY,
   "response_id" TEXT REFERENCES "responses"("id"),
   "tool_id" INTEGER REFERENCES "tools"("id"),
   "name" TEXT,
   "output" TEXT,
   "tool_call_id" TEXT,
   "instance_id" INTEGER REFERENCES "tool_instances"("id")
, "exception" TEXT);
CREATE TABLE "tools" (
   "id" INTEGER PRIMARY KEY,
   "hash" TEXT,
   "name" TEXT,
   "description" TEXT,
   "input_schema" TEXT
, "plugin" TEXT);
INSERT INTO "tools" VALUES(1,'d0e818c9448705802180a3cdce8ff446eb9b8a33a4771a9bce9eb86061dab231','weather','weather','{"properties": {"city": {"type": "string"}}, "required": ["city"], "type": "object"}','scripted');
CREATE TABLE "turn_tools" (
   "turn_id" TEXT REFERENCES "turns"("id"),
   "tool_id" INTEGER REFERENCES "tools"("id"),
   "instance_id" INTEGER REFERENCES "tool_instances"("id"),
   PRIMARY KEY ("turn_id", "tool_id")
);
INSERT INTO "turn_tools" VALUES('01m7pcyxsbasw6wmr351t7n61p',1,NULL);
INSERT INTO "turn_tools" VALUES('01m7pcyxsca38dtx5vnh418ghb',1,NULL);
CREATE TABLE "turns" (
   "id" TEXT PRIMARY KEY,
   "thread_id" TEXT REFERENCES "threads"("id"),
   "parent_message_hash" TEXT REFERENCES "messages"("hash"),
   "tip_message_hash" TEXT REFERENCES "messages"("hash"),
   "model" TEXT,
   "resolved_model" TEXT,
   "options_json" TEXT,
   "schema_id" TEXT REFERENCES "schemas"("id"),
   "input_tokens" INTEGER,
   "output_tokens" INTEGER,
   "token_details" TEXT,
   "duration_ms" INTEGER,
   "datetime_utc" TEXT
, "response_json" TEXT);
INSERT INTO "turns" VALUES('01m7pcywc87agvrbmfrnf1rrd0','01m7pcywc69t16n5qtypkrtagb','b2:65fd94d1f716aca024414aa3aefd2cf7','b2:f3ec0b727fe93f771071a5ab9e7392b1','scripted',NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-02-18T03:59:40.424943+00:00',NULL);
INSERT INTO "turns" VALUES('01m7pcyx3gtrdgmt18qh3j9136','01m7pcywc69t16n5qtypkrtagb','b2:8d119bfa075a04e870c193c8ace8ce5d','b2:25af615b227daa5ae442bd5e5913e67b','scripted',NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-02-18T03:59:41.168453+00:00',NULL);
INSERT INTO "turns" VALUES('01m7pcyxsbasw6wmr351t7n61p','01m7pcyxs98wdafb2wj38nkfaa','b2:cc799bbc68f639e687759a4a91ec7a95','b2:20b2a6f80b1d8ff83766566ec09a4180','scripted',NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-02-18T03:59:41.867854+00:00',NULL);
INSERT INTO "turns" VALUES('01m7pcyxsca38dtx5vnh418ghb','01m7pcyxs98wdafb2wj38nkfaa','b2:905d7ebd8f8a258b19d12fb8ac024c0f','b2:585ae279291ca988afc60705b1d237d3','scripted',NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-02-18T03:59:41.868076+00:00',NULL);
INSERT INTO "turns" VALUES('01m7pcyyfqvpapkss4dbrm2qax','01m7pcyyfn8yatmy4f6jv536r1','b2:9ab5f0968671430c2b580061c846edb8','b2:2123c4b32e1b75af97f74307588ce060','scripted',NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-02-18T03:59:42.583346+00:00',NULL);
