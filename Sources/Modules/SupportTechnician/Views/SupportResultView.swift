internal import ForsettiModuleKit

/// Draws what a search has found.
struct SupportResultView {
  let result: SupportSearchResult
  let isSearching: Bool

  var nodes: [ViewNode] {
    let failures = SupportDeviceKind.allCases.compactMap { kind in
      result.failures[kind].map { failure -> ViewNode in
        .list([
          .badge("\(kind.title)s could not be searched", tone: .error), .text(failure.what),
          .text(failure.advice),
        ])
      }
    }
    let cuts = result.cutKinds.map { kind -> ViewNode in
      .text(
        "The first \(SupportSearchCalls.limit) of kind \(kind.title) are shown; say more precisely what you look for.",
        style: .caption)
    }
    return failures + cuts + table
  }

  private var table: [ViewNode] {
    guard !result.devices.isEmpty else {
      return isSearching || !result.failures.isEmpty ? [] : [.text("Nothing was found.")]
    }
    let rows = result.devices.map { device -> [ViewNode] in
      [
        .text(device.name), .text(device.kind.title), .text(device.serial, style: .code),
        .text(device.user ?? ""), .text(device.model ?? ""), .text(device.system ?? ""),
        SupportView.button("Open", "open", ["device": device.id?.text ?? ""]),
      ]
    }
    return [
      .table(columns: ["Name", "Kind", "Serial number", "User", "Model", "System", ""], rows: rows)
    ]
  }
}
