import Holdfast

// The smallest program that uses a pool; its size is compared with that of the same program in C.
let pool = try DatabasePool(path: CommandLine.arguments[1])
print(try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0 })
