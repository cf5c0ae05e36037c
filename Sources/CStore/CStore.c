#include "CStore.h"

#include <sqlite3.h>

int daybook_sqlite_set_defensive(void *connection, int on) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

int daybook_sqlite_set_triggers(void *connection, int on) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, (int *)0);
}

int daybook_sqlite_set_reserved(void *connection, int bytes) {
  return sqlite3_file_control((sqlite3 *)connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

void daybook_sqlite_stop_counting_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
