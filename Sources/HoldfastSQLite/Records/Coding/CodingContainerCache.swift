/// A cache of the keyed containers of a decoder or an encoder, each created once for many rows.
///
/// Making one takes memory and several look-ups of its type, which is more than a row's values
/// take. A container that is kept must not hold its coder, which holds it.
@safe
struct CodingContainerCache: ~Copyable {
  // The one of the last type of keys; the others are there for a class and its superclass.
  private var last: KeptContainer?
  private var others: [KeptContainer] = []

  /// Whether other code holds a container.
  var areShared: Bool {
    guard last?.isShared != true else { return true }
    return !others.isEmpty && others.contains(where: \.isShared)
  }

  /// Returns the container with keys of a type, which the closure creates if there is none.
  @inline(__always)
  mutating func container<Container>(
    keyedBy keys: any CodingKey.Type, _ make: () -> Container
  ) -> Container {
    let kept: KeptContainer
    if let last, last.keys == ObjectIdentifier(keys) {
      kept = last
    } else {
      kept = other(keyedBy: keys, make)
    }
    return unsafe unsafeDowncast(kept, to: TypedContainer<Container>.self).container
  }

  @inline(never)
  private mutating func other<Container>(
    keyedBy keys: any CodingKey.Type, _ make: () -> Container
  ) -> KeptContainer {
    if let last { others.append(last) }
    let known = others.firstIndex { $0.keys == ObjectIdentifier(keys) }
    let kept = known.map { others.remove(at: $0) } ?? TypedContainer(make(), keyedBy: keys)
    last = kept
    return kept
  }
}

/// The box that a container refers to, of which nothing but its references is used.
///
/// No `AnyObject`: Swift 6 opens an existential that is passed `inout`, which without optimization
/// is a copy, and the question who else holds the box would always find one.
private final class ContainerBox {}

/// A container, whatever its keys.
private class KeptContainer {
  final let keys: ObjectIdentifier

  // A `KeyedDecodingContainer` is nothing but a reference to such a box, and an encoding one too.
  // Unchecked because it is written once, and the check whether it is shared counts as a writing.
  @exclusivity(unchecked) final var box: ContainerBox

  init(box: ContainerBox, keys: ObjectIdentifier) {
    unsafe self.box = box
    self.keys = keys
  }

  final var isShared: Bool { unsafe !isKnownUniquelyReferenced(&box) }
}

/// A container whose type is known to the object, so that nobody has to look it up.
private final class TypedContainer<Container>: KeptContainer {
  init(_ container: Container, keyedBy keys: any CodingKey.Type) {
    let address = unsafe unsafeBitCast(container, to: UnsafeRawPointer.self)
    unsafe super.init(
      box: Unmanaged<ContainerBox>.fromOpaque(address).takeUnretainedValue(),
      keys: ObjectIdentifier(keys))
    withExtendedLifetime(container) {}
  }

  // Never inlined, for there its type would have to be looked up again.
  @inline(never)
  var container: Container { unsafe unsafeBitCast(box, to: Container.self) }
}
