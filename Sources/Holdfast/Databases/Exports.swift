// `import Holdfast` is all that an app needs: values, rows and records of a single connection
// belong to the vocabulary of queues and pools.
@_exported public import HoldfastSQLite
