#include "floor.h"

#include <math.h>

// The nearest places by a look at all of them.

double floor_nearest(const double *latitudes, const double *longitudes, int64_t count, double latitude,
                     double longitude, int64_t limit) {
  const double radian = 0.017453292519943295, radius = 6371008.8;
  double best[64], own = cos(latitude * radian);
  int64_t kept = 0;
  if (limit > 64) limit = 64;
  for (int64_t index = 0; index < count; index++) {
    double up = sin((latitudes[index] - latitude) * radian / 2);
    double along = sin((longitudes[index] - longitude) * radian / 2);
    double haversine = up * up + own * cos(latitudes[index] * radian) * along * along;
    if (kept == limit && haversine >= best[kept - 1]) continue;
    int64_t place = kept < limit ? kept++ : kept - 1;
    while (place > 0 && best[place - 1] > haversine) {
      best[place] = best[place - 1];
      place--;
    }
    best[place] = haversine;
  }
  return kept ? 2 * radius * asin(sqrt(best[kept - 1])) : 0;
}
