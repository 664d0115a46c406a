import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Feed messages that Google's package for Python writes and reads.
@Suite(.enabled(if: RealtimeBindings.arePresent, RealtimeBindings.absence))
struct RealtimeBindingsTests {
  private static let count = 400

  @Test func `messages of the reference implementation are read as it reads them`() throws {
    let seed = SeededRandom().seed
    var updates = 0
    for (number, sample) in try Self.generated(seed: seed).enumerated() {
      let content = try #require(sample.content)
      let message = try TripUpdates(feedMessage: sample.message)
      #expect(message.gtfsRealtimeVersion == content.version, "message \(number)")
      #expect(message.timestamp == Instant.date(content.timestamp), "message \(number)")
      #expect(message.feedVersion == content.feedVersion.nonEmpty, "message \(number)")
      #expect(message.otherEntityCount == content.others, "message \(number)")
      #expect(message.updates == content.updates.map(\.update), "message \(number)")
      updates += message.updates.count
    }
    #expect(updates > Self.count)
  }

  @Test func `what is read of damaged messages is what the reference implementation reads`() throws
  {
    var random = SeededRandom()
    let messages = try Self.generated(seed: random.seed).map { sample in
      var bytes = [UInt8](sample.message)
      for _ in 0..<Int.random(in: 1...3, using: &random) { bytes.damage(using: &random) }
      return Data(bytes)
    }
    let lines = messages.map { $0.base64EncodedString() + "\n" }.joined()
    let contents = try Self.samples(
      RealtimeBindings.output(of: ["-c", Self.script, "read"], input: Data(lines.utf8)))
    #expect(contents.count == messages.count)
    var (agreed, refused) = (0, 0)
    for (number, (message, sample)) in zip(messages, contents).enumerated() {
      let updates: TripUpdates
      do {
        updates = try TripUpdates(feedMessage: message)
      } catch {
        refused += 1
        continue
      }
      // Python refuses damaged entities of other kinds, which are not read here. It has no number
      // for an unknown relation.
      guard let content = sample.content, updates.updates.allSatisfy(\.hasOnlyKnownNumbers) else {
        continue
      }
      #expect(updates.updates == content.updates.map(\.update), "message \(number)")
      #expect(updates.timestamp == Instant.date(content.timestamp), "message \(number)")
      agreed += 1
    }
    #expect(agreed > Self.count / 20 && refused > Self.count / 20)
  }

  @Test func `the sample is what its script writes`() throws {
    let directory = try TemporaryDirectory()
    let script = FeedMessageDecoderTests.sample.deletingLastPathComponent()
      .appending(path: "make.py")
    let copy = directory.file("copy.pb")
    _ = try RealtimeBindings.output(of: [script.path, copy.path])
    #expect(try Data(contentsOf: copy) == Data(contentsOf: FeedMessageDecoderTests.sample))
  }

  // MARK: - Python

  private struct Sample: Decodable {
    var message: Data
    /// What Python reads; `nil` when it refuses the message.
    var content: FeedContent?
  }

  private static func generated(seed: UInt64) throws -> [Sample] {
    try samples(
      RealtimeBindings.output(of: ["-c", script, "generate", "\(seed)", "\(count)"]))
  }

  private static func samples(_ lines: Data) throws -> [Sample] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try lines.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(Sample.self, from: $0)
    }
  }

  private static let script = #"""
    import base64, json, random, sys
    from google.transit import gtfs_realtime_pb2 as gtfs

    TEXTS = ["", "T", "T1-WD-0-0600", "2004 Pêcheurs", "天后廟", "e\u0301", "\u0000", "x" * 300,
             "20260105", "25:15:35", "😀"]
    NUMBERS = {
        "int32": [0, 1, -1, 60, -3600, 2**31 - 1, -2**31],
        "uint32": [0, 1, 127, 128, 2**32 - 1],
        "int64": [0, -1, 1, 1767546000, 253402300799, 253402300800, 2**63 - 1, -2**63],
        "uint64": [0, 1, 1767546000, 253402300800, 2**64 - 1],
    }
    TYPES = {5: "int32", 13: "uint32", 3: "int64", 4: "uint64"}

    def fill(message, depth=0):
        for field in message.DESCRIPTOR.fields:
            rare = field.name not in ("entity", "trip_update", "trip", "stop_time_update")
            if random.random() < (0.4 if rare else 0.1) and not is_required(field):
                continue
            if field.message_type:
                if depth > 5:
                    continue
                if is_repeated(field):
                    for _ in range(random.randint(1, 3)):
                        fill(getattr(message, field.name).add(), depth + 1)
                else:
                    part = getattr(message, field.name)
                    part.SetInParent()
                    fill(part, depth + 1)
                continue
            value = value_of(field)
            if is_repeated(field):
                getattr(message, field.name).append(value)
            else:
                setattr(message, field.name, value)

    def is_repeated(field):
        return field.is_repeated if hasattr(field, "is_repeated") else field.label == 3

    def is_required(field):
        return field.is_required if hasattr(field, "is_required") else field.label == 2

    def value_of(field):
        if field.enum_type:
            if field.name == "incrementality":
                return 0
            return random.choice(field.enum_type.values).number
        if field.type in TYPES:
            return random.choice(NUMBERS[TYPES[field.type]])
        if field.type == 9:
            return random.choice(TEXTS)
        if field.type == 8:
            return random.random() < 0.2
        return random.uniform(-90, 90)

    def varint(value):
        text = b""
        while value >= 128:
            text += bytes([value & 127 | 128])
            value >>= 7
        return text + bytes([value])

    def generate():
        message = gtfs.FeedMessage()
        fill(message)
        data = message.SerializeToString()
        other = gtfs.FeedMessage()
        fill(other)
        kind = random.randrange(4)
        # Two messages in a row are merged, and so are two entities in one field.
        if kind == 0:
            data += other.SerializeToString()
        elif kind == 1 and message.entity and other.entity:
            merged = message.entity[0].SerializeToString() + other.entity[0].SerializeToString()
            data += b"\x12" + varint(len(merged)) + merged
        elif kind == 2:
            data += b"\xca\x3e\x03abc\x9b\x3f\x08\x01\x9c\x3f"
        return data

    def text(value):
        # A text that is not UTF-8 is bytes here.
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    def get(message, name):
        return text(getattr(message, name)) if message.HasField(name) else None

    def part(message, name, read):
        return read(getattr(message, name)) if message.HasField(name) else None

    def fields(*names):
        return lambda message: {name: get(message, name) for name in names}

    event = fields("delay", "time", "uncertainty", "scheduled_time")

    def stop(update):
        return fields("stop_sequence", "stop_id", "schedule_relationship",
                      "departure_occupancy_status")(update) | {
            "arrival": part(update, "arrival", event),
            "departure": part(update, "departure", event),
            "properties": part(update, "stop_time_properties", fields(
                "assigned_stop_id", "stop_headsign", "pickup_type", "drop_off_type")),
        }

    def update(entity):
        update = entity.trip_update
        return fields("timestamp", "delay")(update) | {
            "id": text(entity.id),
            "trip": fields("trip_id", "route_id", "direction_id", "start_time", "start_date",
                           "schedule_relationship")(update.trip) | {
                "modified_trip": part(update.trip, "modified_trip", fields(
                    "modifications_id", "affected_trip_id", "start_time", "start_date")),
            },
            "vehicle": part(update, "vehicle", fields(
                "id", "label", "license_plate", "wheelchair_accessible")),
            "stops": [stop(s) for s in update.stop_time_update],
            "properties": part(update, "trip_properties", fields(
                "trip_id", "start_date", "start_time", "shape_id", "trip_headsign",
                "trip_short_name")),
        }

    def read(data):
        message = gtfs.FeedMessage()
        try:
            message.ParseFromString(data)
            kept = [e for e in message.entity if not e.is_deleted]
            return {
                "version": text(message.header.gtfs_realtime_version),
                "timestamp": get(message.header, "timestamp"),
                "feed_version": get(message.header, "feed_version"),
                "others": sum(not e.HasField("trip_update") and not e.HasField("trip_modifications") for e in kept),
                "updates": [update(e) for e in kept if e.HasField("trip_update")],
            }
        except Exception:
            return None

    if sys.argv[1] == "generate":
        random.seed(sys.argv[2])
        messages = [generate() for _ in range(int(sys.argv[3]))]
    else:
        messages = [base64.b64decode(line) for line in sys.stdin]
    for data in messages:
        print(json.dumps({"message": base64.b64encode(data).decode(), "content": read(data)}))
    """#
}

extension [UInt8] {
  /// Changes, inserts, drops or repeats some of the bytes.
  mutating func damage(using random: inout some RandomNumberGenerator) {
    guard !isEmpty else { return }
    let place = Int.random(in: indices, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: self[place] = UInt8.random(in: 0...255, using: &random)
    case 1: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 3: remove(at: place)
    case 4: removeSubrange(place..<Swift.min(place + 40, count))
    default: insert(contentsOf: Array(self[place..<Swift.min(place + 40, count)]), at: place)
    }
  }
}
