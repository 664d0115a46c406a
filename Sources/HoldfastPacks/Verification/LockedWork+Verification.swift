extension LockedWork {
  /// Reads the files of a generation, and remembers that they match the manifest.
  func verify(_ name: String, _ manifest: PackManifest?) throws -> GenerationState {
    guard let manifest else { return .damaged }
    return try stoppable {
      try VerificationMemory(folder.verified).verify(
        manifest, named: name, in: folder.generation(name), until: { isStopped })
    }
  }
}
