#define _GNU_SOURCE
#include "CStore.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>

int daybook_sqlite_set_defensive(void *connection, int on) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

int daybook_sqlite_set_triggers(void *connection, int on) {
  return sqlite3_db_config((sqlite3 *)connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, (int *)0);
}

int daybook_exchange_files(const char *left, const char *right) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, left, AT_FDCWD, right, RENAME_EXCHANGE);
#else
  (void)left;
  (void)right;
  errno = ENOSYS;
  return -1;
#endif
}
