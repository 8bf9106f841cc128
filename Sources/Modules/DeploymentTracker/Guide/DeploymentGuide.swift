internal import ForsettiModuleKit

/// A page of the guide.
struct DeploymentTopic: Sendable, Hashable {
  var id: String
  var title: String
  /// The page of the tracker that it is about.
  var workspace: DeploymentWorkspace
  var text: String
  /// Words by which it is found besides those that it shows.
  var keywords = ""
}

/// What the tracker says of itself.
enum DeploymentGuide {
  /// Bytes of what is looked for.
  static let queryLimit = 200

  /// The topics that have every word of a query, whatever its case; all where there is none.
  static func search(_ query: String) -> [DeploymentTopic] {
    let words = query.lowercased().split { !$0.isLetter && !$0.isNumber }
    return topics.filter { topic in
      let text = "\(topic.id) \(topic.title) \(topic.text) \(topic.keywords)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  /// The first topic of a page.
  static func topic(of workspace: DeploymentWorkspace) -> DeploymentTopic? {
    topics.first { $0.workspace == workspace }
  }

  static let topics: [DeploymentTopic] = basics + workflow + files + upkeep

  private static let basics = [
    DeploymentTopic(
      id: "demo", title: "What this demo is", workspace: .dashboard,
      text:
        "A tracker of devices from the loading dock to the people who get them, with made-up data. It asks for no "
        + "network and has none, so nothing it does changes anything at Jamf Pro, Apple or a carrier.",
      keywords: "offline safety simulated externalDataChanged"),
    DeploymentTopic(
      id: "dashboard", title: "Dashboard", workspace: .dashboard,
      text:
        "Counts devices that are not archived, by status and by kind. Blocked are those with an open exception that "
        + "is blocking or critical.", keywords: "KPI figures numbers"),
    DeploymentTopic(
      id: "grid", title: "The grid", workspace: .devices,
      text:
        "Shows 40 devices at a time. A filter keeps those whose field holds a text; several must all match. A filter "
        + "with an empty text takes the one of its field away.", keywords: "table search sort page"),
    DeploymentTopic(
      id: "layouts", title: "Layouts", workspace: .devices,
      text: "A layout is a list of columns. Four come with the demo; twenty more may be kept.",
      keywords: "columns view"),
    DeploymentTopic(
      id: "scan", title: "Scanning", workspace: .devices,
      text:
        "Scan a serial number into the field, or type it: the scanner service cleans it, and the device's page "
        + "opens.", keywords: "barcode wedge serial"),
    DeploymentTopic(
      id: "device", title: "A device's page", workspace: .devices,
      text:
        "Lists what is known, the steps that it may take with what each gate says, its exceptions and its history."
    ),
  ]

  private static let workflow = [
    DeploymentTopic(
      id: "projects", title: "Projects", workspace: .projects,
      text:
        "A project says what is asked of its devices. What it doesn't ask for, no gate looks at; devices in no "
        + "project still need their preload.", keywords: "rules policy"),
    DeploymentTopic(
      id: "steps", title: "Steps and gates", workspace: .devices,
      text:
        "A device takes a step if there is one, its gate is open and a reason is given where one is wanted. A gate "
        + "that warns is open. Refused steps stand in the audit too.",
      keywords: "workflow transition status blocked"),
    DeploymentTopic(
      id: "on-hold", title: "On hold and exception", workspace: .exceptions,
      text:
        "From wherever work goes on, a device can be put aside with a reason. It goes on where it was; out of an "
        + "exception only when nothing blocking is open.", keywords: "resume dead end"),
    DeploymentTopic(
      id: "returns", title: "Returned and retired", workspace: .shipping,
      text:
        "What was shipped can come back. A returned device is received anew, and forgets its preload, ticket and "
        + "tracking number, or is retired, which archives it."),
    DeploymentTopic(
      id: "exceptions", title: "Exceptions", workspace: .exceptions,
      text:
        "Something that somebody has to look at. Blocking and critical ones close the gates of QA, completion and "
        + "the preload until they are resolved, or waived with a reason.",
      keywords: "severity waiver acknowledge"),
    DeploymentTopic(
      id: "apple-business", title: "Apple Business check", workspace: .business,
      text:
        "The simulated check answers for every device that waits for it. At first some are missing, and an exception "
        + "says so; the next check finds them.", keywords: "ABM ADE server mismatch"),
    DeploymentTopic(
      id: "configuration", title: "Configuration", workspace: .devices,
      text: "A device without a profile may be configured, with a warning. Fill in the profile on its page."),
    DeploymentTopic(
      id: "qa", title: "QA", workspace: .exceptions,
      text:
        "A device passes while nothing blocking is open. One that fails goes back to configuration, or is retired.",
      keywords: "quality inspection"),
    DeploymentTopic(
      id: "completion", title: "Completion", workspace: .projects,
      text: "A project that wants a review stops completion, unless it allows completion with warnings."),
  ]

  private static let files = [
    DeploymentTopic(
      id: "import", title: "Import preview", workspace: .imports,
      text:
        "Paste CSV with titles, or a list of serial numbers. Titles are matched with columns; what is wrong is said "
        + "by line and column. The preview is never carried out.", keywords: "CSV Excel Numbers"),
    DeploymentTopic(
      id: "import-limits", title: "Limits of an import", workspace: .imports,
      text:
        "256 KiB, 2,000 rows, 64 columns, 1,024 bytes in a cell. Commas, semicolons or tabs separate cells, whichever "
        + "the first line has first.", keywords: "size separator"),
    DeploymentTopic(
      id: "jamf-preload", title: "Jamf inventory preload", workspace: .preload,
      text:
        "Writes the nine columns of Jamf Pro's inventory preload for the devices that are ready. Devices with an open "
        + "blocking exception are left out and listed.", keywords: "CSV upload records"),
    DeploymentTopic(
      id: "jamf-permissions", title: "If Jamf Pro refuses the file", workspace: .preload,
      text:
        "Jamf Pro answers 403 where the API role lacks a privilege: it wants Read, Create and Update Inventory Preload "
        + "Records, Create User and Update User.", keywords: "forbidden account client"),
    DeploymentTopic(
      id: "preload-users", title: "Users of a preload", workspace: .preload,
      text: "Jamf Pro may create users from the columns Username, Full Name and Email Address.",
      keywords: "privacy person"),
    DeploymentTopic(
      id: "reconcile", title: "Reconciling a preload", workspace: .preload,
      text: "After a submission the simulated reconciliation finds each of its devices in the inventory."),
    DeploymentTopic(
      id: "service-desk", title: "Service-desk export", workspace: .serviceDesk,
      text:
        "Eight columns, each with its rules. One fault of one device keeps the whole file from being written. "
        + "Versions count up for each project.", keywords: "SD+ ticket asset"),
    DeploymentTopic(
      id: "formulas", title: "Cells that look like formulas", workspace: .serviceDesk,
      text: "A cell that a spreadsheet would compute gets an apostrophe before it, in every file.",
      keywords: "injection CSV security"),
    DeploymentTopic(
      id: "shipping", title: "Shipping and delivery", workspace: .shipping,
      text:
        "The simulated shipment makes up a tracking number for each device that is ready, the simulated delivery a "
        + "confirmation for each that was shipped.", keywords: "carrier tracking"),
  ]

  private static let upkeep = [
    DeploymentTopic(
      id: "audit", title: "Audit", workspace: .audit,
      text:
        "Every change and every refused step is a line. A line is kept by the same write as its change, and never "
        + "removed but by a reset.", keywords: "history log trail"),
    DeploymentTopic(
      id: "archive", title: "Archiving", workspace: .administration,
      text:
        "An archived device takes no steps and counts in no figure. It can be restored. Archiving wants a typed word."
    ),
    DeploymentTopic(
      id: "scenarios", title: "Scenarios", workspace: .scenarios,
      text: "Each leads a device through a part of the work, step by step, with the real rules of the demo.",
      keywords: "tour walk training"),
    DeploymentTopic(
      id: "guide", title: "This guide", workspace: .guide,
      text: "All words that are looked for must be in a topic.",
      keywords: "help search"),
    DeploymentTopic(
      id: "reset", title: "Reset", workspace: .administration,
      text:
        "Brings back the data that the demo began with, and takes all changes and layouts away. It wants a typed word.",
      keywords: "seed restore confirm"),
  ]
}
