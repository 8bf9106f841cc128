internal import ForsettiModuleKit

/// All that the desk shows, in memory: whoever looks is answered from here, and never waits for Jamf.
struct SupportState: Sendable {
  /// Something that is being read, was read, or could not be.
  enum Loading<Value: Sendable & Equatable>: Sendable, Equatable {
    case running
    case ready(Value)
    case failed(JamfFailure)
  }

  /// What is said above everything else, until the next thing is done.
  struct Notice: Sendable, Equatable {
    var text: String
    /// What to do, where something is to be done.
    var advice: String?
    var tone: ViewTone

    static func success(_ text: String) -> Notice { Notice(text: text, tone: .success) }
    static func error(_ text: String, _ advice: String? = nil) -> Notice {
      Notice(text: text, advice: advice, tone: .error)
    }
  }

  /// The device whose page is open.
  struct Page: Sendable, Equatable {
    var id: SupportDeviceID
    var detail = Loading<SupportDetail>.running
    var history = Loading<CommandHistory>.running
    /// The action whose word is waited for.
    var chosen: SupportAction?
    /// What somebody entered for the Mac's address.
    var remoteHost: String?

    /// The device, where its record was read.
    var device: SupportDevice? {
      if case .ready(let detail) = detail { detail.device } else { nil }
    }
  }

  var query = ""
  var scope = SupportSearchScope.all
  /// Sides of the search that have not answered yet; none while nobody searches.
  var searching: Set<SupportDeviceKind> = []
  var result: SupportSearchResult?
  var page: Page?
  var notice: Notice?
  var vault = SecretVault()
  /// The secret that is on the screen.
  var shown: SupportSecret?
}
