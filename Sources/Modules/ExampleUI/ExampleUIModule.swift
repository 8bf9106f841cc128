public import ForsettiModuleKit

/// Shows how often it was greeted, and when the example service last started.
public final class ExampleUIModule: ForsettiUIModule, ForsettiRenderingModule {
  /// The same as in `Resources/ExampleManifests`.
  public let manifest = ExampleUIManifest.manifest
  /// Every ID here is declared in the manifest.
  public var uiContributions: UIContributions { ExampleUIContributions.contributions }

  private var greetings = 0
  private var lastGreeting: String?
  private var serviceStartedAt: String?

  /// Makes the module, not started.
  public init() {}

  /// Listens to its own toolbar item and button, and to the example service. Handlers run one after the other on the
  /// main actor, so what they change needs no lock.
  public func start(context: ForsettiContext) async throws {
    _ = try await context.subscribe(to: ExampleUIContributions.greeting) { [weak self] event in
      self?.greetings += 1
      self?.lastGreeting = event.payload["from"]
      context.logger.info("greeted by \(event.payload["from"] ?? "nobody")")
    }
    do {
      _ = try await context.subscribe(to: "com.forsetti.example.service.started") { [weak self] event in
        self?.serviceStartedAt = event.payload["startedAt"]
        context.logger.info("heard of the service's start")
      }
    } catch .serviceDenied {
      context.logger.info("runs without news of the service: the policy lets it hear none")
    }
    context.logger.info("activated")
  }

  /// Its subscriptions end with its context.
  public func stop(context: ForsettiContext) async { context.logger.info("stopped") }

  /// What a view shows now.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    switch viewID {
    case "example-workspace": workspace
    case "example-overlay": overlay(title: parameters["title"] ?? "Example")
    case "example-service": .text("The policy gives this view to nobody else.", style: .caption)
    default: throw ServiceError.notFound(viewID)
    }
  }

  private var workspace: ViewNode {
    .list([
      .text("Example", style: .title),
      .keyValues([
        ViewKeyValue("Greetings", .text("\(greetings)")),
        ViewKeyValue("Last one from", .text(lastGreeting ?? "nobody yet")),
        ViewKeyValue(
          "Service started",
          serviceStartedAt.map { .text($0, style: .code) } ?? .badge("unknown", tone: .warning)),
      ]),
      .button(
        title: "Greet",
        action: .publishEvent(eventType: ExampleUIContributions.greeting, payload: ["from": "the view"])),
    ])
  }

  private func overlay(title: String) -> ViewNode {
    .list([
      .text(title, style: .heading),
      .text("A module sends nodes, never markup; the host draws and escapes them."),
      .text("Greetings so far: \(greetings)", style: .caption),
      .form(
        ViewForm(
          fields: [ViewField(fieldID: "from", label: "Your name", kind: .text, isRequired: true)],
          submitTitle: "Greet", eventType: ExampleUIContributions.greeting)),
    ])
  }
}
