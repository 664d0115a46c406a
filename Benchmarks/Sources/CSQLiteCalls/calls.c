#include "CSQLiteCalls.h"
