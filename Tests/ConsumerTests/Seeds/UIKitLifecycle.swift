#if !canImport(UIKit)
  import Holdfast

  // What the seeds use of UIKit, which Linux lacks; and the one call of this package that takes part
  // of it, as it is made where there is a UIKit.

  @MainActor class UIResponder {}

  @MainActor final class UIApplication {}

  enum UIBackgroundFetchResult {
    case newData, noData, failed
  }

  @MainActor protocol UIApplicationDelegate: AnyObject {
    func applicationWillEnterForeground(_ application: UIApplication)
    func application(
      _ application: UIApplication,
      performFetchWithCompletionHandler completionHandler:
        @escaping (UIBackgroundFetchResult) -> Void)
  }

  // UIKit's are optional.
  extension UIApplicationDelegate {
    func applicationWillEnterForeground(_ application: UIApplication) {}
    func application(
      _ application: UIApplication,
      performFetchWithCompletionHandler completionHandler:
        @escaping (UIBackgroundFetchResult) -> Void
    ) {}
  }

  extension DatabaseBackgroundScheduler {
    func resume(in application: UIApplication) { resume() }
  }
#endif
