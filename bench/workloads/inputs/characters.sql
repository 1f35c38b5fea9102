-- The words in the names of Unicode's characters: which are used most, for what kinds of characters, and together.
CREATE TABLE raw(code, name, category, combining, bidi, decomposition, decimal, digit, number, mirrored, old, comment,
  upper, lower, title);
.separator ;
.import /usr/share/unicode/UnicodeData.txt raw
CREATE INDEX by_code ON raw(code);
CREATE TABLE word(code, word);
WITH RECURSIVE split(code, word, rest) AS (
  SELECT code, '', name || ' ' FROM raw
  UNION ALL
  SELECT code, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1) FROM split WHERE rest <> ''
) INSERT INTO word SELECT code, word FROM split WHERE word <> '';
CREATE INDEX by_word ON word(word, code);
SELECT word, count(*) AS uses FROM word GROUP BY word ORDER BY uses DESC, word LIMIT 20;
SELECT category, count(*), group_concat(DISTINCT bidi) FROM raw GROUP BY category ORDER BY category;
SELECT w.word, count(DISTINCT r.category) AS kinds FROM word w JOIN raw r ON r.code = w.code
  GROUP BY w.word HAVING kinds > 5 ORDER BY kinds DESC, w.word;
SELECT a.word, b.word, count(*) AS together FROM word a JOIN word b ON b.code = a.code AND b.word > a.word
  WHERE a.word IN (SELECT word FROM word GROUP BY word HAVING count(*) BETWEEN 50 AND 90)
  GROUP BY 1, 2 HAVING together > 40 ORDER BY together DESC, 1, 2;
SELECT count(*), sum(length(u.name)) FROM raw u JOIN raw l ON l.code = u.lower WHERE l.upper = u.code;
