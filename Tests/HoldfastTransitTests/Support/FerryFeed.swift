extension TextFeed {
  /// A feed with the trips of a ferry; each trip has its times at the stops.
  static func ferries(
    zone: String = "Australia/Sydney", harbourZone: String = "", calls: String,
    calendar: String = "W,1,1,1,1,1,1,1,20260101,20261231\n", exceptions: String = "",
    frequencies: String = "", tripsWithoutCalls: Set<String> = []
  ) -> TextFeed {
    let trips = Set(calls.split(separator: "\n").map { String($0.prefix { $0 != "," }) })
      .union(tripsWithoutCalls)
    return TextFeed([
      "agency.txt": "agency_id,agency_timezone\nHF,\(zone)\n",
      "routes.txt": "route_id,route_short_name,route_type,agency_id\nF1,F1,4,HF\n",
      "stops.txt": """
      stop_id,stop_name,parent_station,stop_timezone
      A,Quay,S,
      B,Point,,
      C,Bay,,Australia/Broken_Hill
      D,Cove,,
      S,Harbour,,\(harbourZone)
      A2,Second wharf,S,Australia/Perth
      A2a,Its end,A2,
      """,
      "trips.txt": "trip_id,route_id,service_id,trip_headsign\n"
        + trips.sorted().map { "\($0),F1,W,Cove\n" }.joined(),
      "stop_times.txt":
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type,stop_headsign\n"
        + calls,
      "calendar.txt":
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        + calendar,
      "calendar_dates.txt": "service_id,date,exception_type\n" + exceptions,
      "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\n" + frequencies,
    ])
  }
}
