#ifndef DAYBOOK_CSTORE_H
#define DAYBOOK_CSTORE_H

// What Swift cannot call: functions with a variable list of arguments.

// Has a connection (a `sqlite3 *`) refuse what could damage its own file from SQL: writing to the
// schema's table and to the tables in which FTS5 keeps its index. Returns SQLite's result code.
int daybook_sqlite_set_defensive(void *connection, int on);

// Switches the triggers of a connection's statements on or off; statements that run already are not
// touched. Returns SQLite's result code.
int daybook_sqlite_set_triggers(void *connection, int on);

#endif
