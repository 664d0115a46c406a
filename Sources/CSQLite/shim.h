#pragma once

// The system's SQLite, and the calls Swift cannot spell. No logic lives here.
#include <sqlite3.h>
#include <pthread.h>
#include <stdint.h>
