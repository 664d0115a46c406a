#include "Fault.h"

#include <stdatomic.h>

#include "CFaults.h"

static atomic_bool is_armed = false;
static atomic_bool it_lasts = false;
static atomic_int_fast64_t calls = 0;
static atomic_int_fast64_t failing_call = 0;
static atomic_int_fast64_t strikes = 0;

void holdfast_arm_fault(int64_t call, bool lasts) {
  calls = 0;
  strikes = 0;
  failing_call = call;
  it_lasts = lasts;
  is_armed = true;
}

int64_t holdfast_disarm_fault(void) {
  is_armed = false;
  return strikes;
}

bool holdfast_fault_strikes(void) {
  if (!is_armed) return false;
  int64_t call = ++calls;
  bool fails = it_lasts ? call >= failing_call : call == failing_call;
  if (fails) ++strikes;
  return fails;
}
