#pragma once

// The system's SQLite.
#include <sqlite3.h>

#include "calls.h"
