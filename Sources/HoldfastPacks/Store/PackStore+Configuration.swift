public import Holdfast
public import HoldfastFiles

extension PackStore {
  /// The location and the rules of a store.
  public struct Configuration: Sendable {
    /// The container; this process's by default.
    public var container = Container.current

    /// The root that contains the store's folder; the app's support files by default.
    public var root = StorageRoot.applicationSupport

    /// The edition, such as the year of a festival, whose folder contains the packs' folders.
    public var edition: PackEdition?

    /// The treatment of other editions when the store is cleaned.
    public var editionPolicy = EditionPolicy.keepAll

    /// The names of folders and links.
    public var layout = PackLayout.standard

    /// The role of this process, under which it holds generations.
    public var role = LeaseRole.process

    /// Whether a pack with a lower version than the current generation's is installed.
    public var allowsDowngrades = false

    /// The longest time to wait while another process changes a pack.
    public var waitLimit = Duration.seconds(10)

    /// Whether installed packs are excluded from backups; they can be installed again.
    ///
    /// The user's own databases are not excluded.
    public var isExcludedFromBackup = true

    /// The configuration of the app's databases that began as copies of a pack's files.
    ///
    /// The store reads them before it switches to an older seed. Give the key of encrypted ones here, and
    /// `openSeeded` uses it too.
    public var seeded = Holdfast.Configuration()

    /// Whether the store is suspended and resumed with `DatabaseBackgroundScheduler`.
    public var suspendsOnBackgroundTimeExpiration = false

    /// Creates the default rules.
    public init() {}
  }

  /// The treatment of the packs of other editions when a store is cleaned.
  ///
  /// The user's own databases stay in any case.
  public enum EditionPolicy: Hashable, Sendable {
    /// They stay.
    case keepAll
    /// This many editions stay besides the present one, the newest first; newer ones in any case.
    case keepNewest(Int)
  }
}
