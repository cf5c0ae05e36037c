#ifndef DAYBOOK_CSTORE_H
#define DAYBOOK_CSTORE_H

// What Swift cannot call: functions with a variable list of arguments, and one that the C library
// shows only to programs that ask for GNU extensions.

// Has a connection (a `sqlite3 *`) refuse what could damage its own file from SQL: writing to the
// schema's table and to the tables in which FTS5 keeps its index. Returns SQLite's result code.
int daybook_sqlite_set_defensive(void *connection, int on);

// Switches the triggers of a connection's statements on or off; statements that run already are not
// touched. Returns SQLite's result code.
int daybook_sqlite_set_triggers(void *connection, int on);

// Exchanges two files in one step. Returns 0, or -1 with errno: EINVAL or ENOSYS where the file
// system cannot.
int daybook_exchange_files(const char *left, const char *right);

#endif
