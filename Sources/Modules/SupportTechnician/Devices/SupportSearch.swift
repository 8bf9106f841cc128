internal import ForsettiModuleKit

/// Searches devices of one kind, or reads one device, through the api role.
@MainActor
struct SupportSearch {
  let jamf: JamfClient

  /// The devices of a kind that a text fits, and whether there are more.
  func devices(_ kind: SupportDeviceKind, _ text: String) async throws(JamfFailure) -> (
    found: [SupportDevice], hasMore: Bool
  ) {
    var failure = JamfFailure.notFound("a search")
    for call in SupportSearchCalls.attempts(kind, text) {
      do throws(JamfFailure) {
        let page = try JamfPage(
          try await jamf.get(
            call.path, call.query + [("page", "0"), ("page-size", "\(SupportSearchCalls.limit)")]), index: 0)
        let found = page.items.prefix(SupportSearchCalls.limit).compactMap { SupportDevice(kind, $0) }
        return (found, (page.total ?? 0) > SupportSearchCalls.limit)
      } catch {
        failure = error
        // An older server lacks the version, or takes no such filter; everything else it would say again.
        switch error {
        case .notFound, .invalidRequest: continue
        default: throw error
        }
      }
    }
    throw failure
  }

  /// All that Jamf knows of a device.
  func record(_ id: SupportDeviceID) async throws(JamfFailure) -> JSONValue {
    try await first(of: SupportDetailCalls.record(of: id))
  }

  /// The answer to the first request that the server knows.
  func first(of attempts: SupportAttempts) async throws(JamfFailure) -> JSONValue {
    var failure = JamfFailure.notFound("this")
    for call in attempts.calls {
      do throws(JamfFailure) { return try await jamf.get(call.path, call.query) } catch {
        failure = error
        guard attempts.rule.goesOn(after: error) else { throw error }
      }
    }
    throw failure
  }

  /// The commands that a device was sent: from the Pro API, and where that may not be asked from the Classic API.
  func history(of device: SupportDevice) async throws(JamfFailure) -> CommandHistory {
    guard let id = device.id else { throw .notFound("a device without an ID") }
    if let managementID = device.managementID {
      do throws(JamfFailure) {
        return CommandHistory(
          try await jamf.get(
            "/api/v2/mdm/commands",
            [
              ("page", "0"), ("page-size", "\(CommandHistory.limit)"), ("sort", "dateSent:desc"),
              ("filter", "clientManagementId==\(RSQL.quoted(managementID))"),
            ]))
      } catch {
        switch error {
        case .forbidden, .invalidRequest, .notFound: break
        default: throw error
        }
      }
    }
    let name = id.kind == .computer ? "computerhistory" : "mobiledevicehistory"
    return CommandHistory(classic: try await jamf.get("/JSSResource/\(name)/id/\(id.inventoryID)"))
  }
}
