// `import Holdfast` is all a user writes: the values, rows and records of one connection belong to
// the vocabulary of many.
@_exported public import HoldfastSQLite
