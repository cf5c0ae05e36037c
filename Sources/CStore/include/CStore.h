#ifndef DAYBOOK_CSTORE_H
#define DAYBOOK_CSTORE_H

// Variadic functions, which Swift cannot call.

// Makes a connection (a `sqlite3 *`) reject SQL that could damage its file: writes to the schema
// table and to the tables of the FTS5 index. Returns SQLite's result code.
int daybook_sqlite_set_defensive(void *connection, int on);

// Switches the triggers of a connection on or off; running statements are not affected. Returns
// SQLite's result code.
int daybook_sqlite_set_triggers(void *connection, int on);

// Reserves bytes at the end of each page of a database that is made or copied by this connection.
// Returns SQLite's result code.
int daybook_sqlite_set_reserved(void *connection, int bytes);

// Makes SQLite allocate memory without counting it, which needs a mutex each time; nothing reads the
// counts. To be called before the first connection; otherwise it has no effect.
void daybook_sqlite_stop_counting_memory(void);

#endif
