#!/bin/sh
# SQLite's list of tables has a row for sqlite_schema, and no row when it is asked for by that name.
#
# Seen with 3.40.1 on 2026-11-28:
#   pragma_table_list                   t, sqlite_schema, sqlite_temp_schema
#   pragma_table_list('sqlite_schema')  nothing
#   pragma_table_list('sqlite_master')  sqlite_schema
# Guess: with a name the pragma has the row that it has without one (https://www.sqlite.org/pragma.html#pragma_table_list).
#
# What follows: who takes a name from the list and asks for it again must ask the whole list (InspectedTable).
set -eu

sqlite3 -version
for list in pragma_table_list "pragma_table_list('sqlite_schema')" "pragma_table_list('sqlite_master')"; do
  printf '%s: ' "$list"
  sqlite3 :memory: "CREATE TABLE t (x); SELECT coalesce(group_concat(name, ', '), 'nothing') FROM $list"
done
