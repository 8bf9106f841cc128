import ForsettiCore
import ForsettiIPC

/// One or more messages of every kind, with every optional part present and absent.
enum Samples {
  static let lockdown = LockdownRequest(
    filter: [UInt8](repeating: 6, count: 64), supervisorPID: 4711, userID: 61_000, limits: SandboxLimits(),
    mayBeMissing: [.landlock, .session, .userID])

  static let manifest = ModuleManifest(
    moduleID: "com.example.full", displayName: "Full – ünïcode",
    moduleVersion: SemVer(major: 1, minor: 24, patch: 256),
    moduleType: .app, supportedPlatforms: [.iOS, .linux, Platform("Plan 9")],
    minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0, prerelease: "rc.1"),
    maxForsettiVersion: SemVer(major: 2_147_483_647, minor: 65_536, patch: 23),
    capabilitiesRequested: Capability.allCases, iapProductID: "com.example.full.pro", entryPoint: "Full.main",
    defaultModuleRole: .ui,
    runtimeRequirements: RuntimeRequirements(
      io: [
        IORequirement("a", .networking, .readWrite, required: true, description: "fetches"),
        IORequirement("b", .storage, .read, required: false),
      ],
      ui: UIRequirements(
        controlSchemeID: "c", layoutID: "l", themeIDs: ["t"], viewIDs: ["v1", "v2"], slotIDs: ["s"],
        toolbarItemIDs: ["i"], routeIDs: ["r"], pointerIDs: ["p"]),
      dataIsolation: DataIsolation(
        mode: .frameworkMediatedShared, ownedStoreIDs: ["store"], requiredDefaultRoles: [.security, .ui])))

  static let service = ModuleManifest(
    schemaVersion: "1.0", manifestTemplateVersion: "1.0", moduleID: "com.example.small", displayName: "Small",
    moduleVersion: SemVer(major: 0, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
    minForsettiVersion: SemVer(major: 0, minor: 0, patch: 0), capabilitiesRequested: [], entryPoint: "Small")

  static let contributions = UIContributions(
    themeMask: ThemeMask(themeID: "t", tokens: [ThemeToken(key: "accent", value: "#fff")]),
    toolbarItems: [
      ToolbarItemDescriptor(
        itemID: "i", title: "Go", systemImageName: "star", action: .navigate(pointerID: "p")),
      ToolbarItemDescriptor(itemID: "j", title: "Open", action: .openOverlay(routeID: "r")),
      ToolbarItemDescriptor(itemID: "k", title: "Say", action: .publishEvent(eventType: "x.y", payload: nil)),
      ToolbarItemDescriptor(
        itemID: "l", title: "Tell",
        action: .publishEvent(eventType: "x.z", payload: ["bb": "1", "a": "2", "": "3"])),
    ],
    viewInjections: [ViewInjectionDescriptor(injectionID: "n", slot: "s", viewID: "v1", priority: -3)],
    overlaySchema: OverlaySchema(
      schemaID: "o",
      pointers: [
        NavigationPointer(
          pointerID: "p", label: "There",
          target: BaseDestinationRef(destinationID: "d", parameters: ["k": "v"]),
          presentation: .popover)
      ],
      routes: [
        OverlayRoute(routeID: "r", path: "/r", destination: .moduleOverlay(viewID: "v2", slot: "s")),
        OverlayRoute(routeID: "q", path: "/q", destination: .base(BaseDestinationRef(destinationID: "d"))),
        OverlayRoute(
          routeID: "z", path: "/z",
          destination: .base(
            BaseDestinationRef(destinationID: "d", parameters: ["long key of 24+ bytes!!!": ""]))),
      ]))

  static let messages: [ProtocolMessage] = [
    .setUp(
      SetUpMessage(
        versions: .current, moduleID: "com.example.full", entryPoint: "Full.main", lockdown: lockdown)),
    .setUp(
      SetUpMessage(
        versions: ProtocolRange(lowest: 0, highest: 65_535), moduleID: "m", entryPoint: "e",
        lockdown: LockdownRequest(
          filter: [], supervisorPID: 1, userID: nil,
          limits: SandboxLimits(
            addressSpaceBytes: .max, dataBytes: 0, stackBytes: 1, fileSizeBytes: 1 << 32, openFiles: 24),
          mayBeMissing: [], lastDescriptor: 5, executable: 5))),
    .identify(IdentifyMessage(versions: .current, moduleID: "com.example.full", entryPoint: "Full.main")),
    .locked(LockedMessage(version: 1, listener: 5, landlockABI: 7)),
    .refused(.lockdown(step: .landlock, errno: 95)),
    .refused(.version(ProtocolRange(lowest: 2, highest: 3))),
    .refused(.badSetUp("why not")),
    .release,
    .describe(
      DescribeMessage(
        descriptor: manifest.descriptor, manifest: manifest, isUIModule: true, contributions: contributions)),
    .describe(
      DescribeMessage(
        descriptor: manifest.descriptor, manifest: manifest, isUIModule: true, contributions: .init())),
    .describe(
      DescribeMessage(
        descriptor: service.descriptor, manifest: service, isUIModule: false, contributions: nil)),
    .describe(
      DescribeMessage(
        descriptor: service.descriptor, manifest: service, isUIModule: false, contributions: nil, version: 1)),
    .describeFailed(DescribeFailedMessage(entryPoint: "Nobody")),
    .start(StartMessage(grants: [.storage, .networking])),
    .start(StartMessage(grants: [], spin: true)),
    .started,
    .startFailed(StartFailedMessage(reason: "no licence")),
    .stop,
    .stopped,
    .ping,
    .pong,
    .log(LogMessage(level: .warning, message: "näh\u{0}\n", metadata: ["key": "value", "k": "", "": "x"])),
    .log(LogMessage(level: .debug, message: "")),
    .publish(PublishMessage(type: "com.example.full.done", payload: ["id": "7", "a": "b"])),
    .publish(PublishMessage(type: "t")),
  ]
}
