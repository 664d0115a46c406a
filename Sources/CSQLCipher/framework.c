// Where SQLCipher is a framework, this is a target that is compiled, which needs a source file.
#include "shim.h"
