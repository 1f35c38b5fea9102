-- Languages and regions read from JSON, and words, all searched as text.
CREATE TABLE language AS
  SELECT value ->> 'alpha_3' AS code, value ->> 'name' AS name, value ->> 'scope' AS scope, value ->> 'type' AS type
  FROM json_each(readfile('/usr/share/iso-codes/json/iso_639-3.json'), '$.639-3');
CREATE TABLE region AS
  SELECT value ->> 'code' AS code, value ->> 'name' AS name, value ->> 'type' AS type
  FROM json_each(readfile('/usr/share/iso-codes/json/iso_3166-2.json'), '$.3166-2');
SELECT type, scope, count(*) FROM language GROUP BY type, scope ORDER BY 3 DESC;
SELECT substr(code, 1, 2) AS country, count(*) AS n, group_concat(DISTINCT type) FROM region GROUP BY country
  ORDER BY n DESC, country LIMIT 10;

CREATE VIRTUAL TABLE search USING fts5(name, code UNINDEXED);
INSERT INTO search SELECT name, code FROM language;
INSERT INTO search SELECT name, code FROM region;
SELECT count(*) FROM search WHERE search MATCH 'sign AND language';
SELECT r.type, count(*), min(s.name) FROM region r JOIN search s ON s.name MATCH '"' || replace(r.name, '"', '') || '"'
  GROUP BY r.type ORDER BY 2 DESC, 1 LIMIT 20;

CREATE TABLE word(word);
.import /usr/share/dict/american-english word
CREATE VIRTUAL TABLE part USING fts5(word, tokenize = trigram);
INSERT INTO part SELECT word FROM word;
SELECT l.name, count(*) FROM language l JOIN part p ON p.word MATCH '"' || l.name || '"'
  WHERE l.type = 'L' AND length(l.name) BETWEEN 3 AND 5 AND l.name NOT GLOB '*[^A-Za-z]*'
  GROUP BY l.name ORDER BY 2 DESC, 1 LIMIT 20;
