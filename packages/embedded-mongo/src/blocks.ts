import type { Storage } from './storage.ts'

// Beside the keys of an index of words stands a table with one row for each key and block of 255 documents: a byte for
// each document that has the key. Where two words meet among 50,000 documents is then known from 200 rows of each.
// SQLite keeps it by triggers, so it holds what the keys hold, whichever version of this program writes them.

/** Documents of a block: a byte tells them apart. */
export const DOCUMENTS = 255

/** SQL for the place of a document in its block, from 1: at a byte 0 SQLite's replace() would end. */
const placeOf = (rec: string) => `unhex(printf('%02x', ${rec} % ${DOCUMENTS} + 1))`
const blockOf = (rec: string) => `${rec} / ${DOCUMENTS}`
const PLACES = `CAST(group_concat(${placeOf('rec')}, '') AS BLOB)`

/** Makes the blocks of an index from its keys, if they are not there yet. */
export function makeBlocks(storage: Storage, id: number): void {
  const name = `blocks_${id}`
  if (storage.get('SELECT 1 FROM sqlite_master WHERE name = ?', name)) return
  storage.exec(`
    SAVEPOINT blocks;
    CREATE TABLE ${name} (key BLOB NOT NULL, block INTEGER NOT NULL, recs BLOB NOT NULL, PRIMARY KEY (key, block))
      WITHOUT ROWID;
    INSERT INTO ${name} SELECT key, ${blockOf('rec')}, ${PLACES}
      FROM keys_${id} GROUP BY 1, 2;
    CREATE TRIGGER ${name}_in AFTER INSERT ON keys_${id} BEGIN
      INSERT INTO ${name} VALUES (new.key, ${blockOf('new.rec')}, ${placeOf('new.rec')})
        ON CONFLICT DO UPDATE SET recs = CAST(recs || excluded.recs AS BLOB);
    END;
    CREATE TRIGGER ${name}_out AFTER DELETE ON keys_${id} BEGIN
      UPDATE ${name} SET recs = CAST(replace(recs, ${placeOf('old.rec')}, '') AS BLOB)
        WHERE key = old.key AND block = ${blockOf('old.rec')};
      DELETE FROM ${name} WHERE key = old.key AND block = ${blockOf('old.rec')} AND length(recs) = 0;
    END;
    RELEASE blocks`)
}
