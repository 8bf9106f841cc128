import ForsettiCore
import ForsettiRuntime
import ForsettiSandbox
import Testing

@testable import ForsettiSupervisor

@Suite struct ReportTests {
  @Test("the report of run --once has the members the issue names, in activation order") func runJSON() {
    let report = RunReport(
      version: "0.2.0", policyPath: "p.json", state: "ready", bootMilliseconds: 33.25,
      selectedUIModuleID: "com.b",
      modules: [
        RunReport.Module(
          moduleID: "com.a", type: "service", state: "active", pid: 12, threads: 1, kernelSyscalls: ["read"],
          servedSyscalls: ["getpid"], openFileDescriptors: 5, pssKiB: 400, activationMilliseconds: 2.5),
        RunReport.Module(moduleID: "com.b", type: "ui", state: "failed", failure: "it crashed"),
      ], layers: ["seccomp"])
    #expect(
      report.json.line == """
        {"state":"ready","bootMilliseconds":33.25,"selectedUIModuleID":"com.b","modules":[\
        {"moduleID":"com.a","type":"service","state":"active","pid":12,"threads":1,"kernelSyscalls":["read"],\
        "servedSyscalls":["getpid"],"grants":[],"openFileDescriptors":5,"pssKiB":400,"activationMilliseconds":2.5,\
        "uptimeMilliseconds":null,"lateAnswers":null,"refusals":null,\
        "calls":null,"failedCalls":null,"droppedEvents":null,"droppedLogLines":null,"restarts":null,\
        "failure":null},{"moduleID":"com.b","type":"ui","state":"failed","pid":null,"threads":null,\
        "kernelSyscalls":[],"servedSyscalls":[],"grants":[],"openFileDescriptors":null,"pssKiB":null,\
        "activationMilliseconds":null,"uptimeMilliseconds":null,"lateAnswers":null,"refusals":null,\
        "calls":null,"failedCalls":null,"droppedEvents":null,"droppedLogLines":null,"restarts":null,\
        "failure":"it crashed"}],"surface":{"toolbar":[],"injections":{},"overlays":null,"themeMask":null},\
        "refusedBundles":[],"missing":[]}

        """)
    let text = report.text(.plain, staysUp: true)
    #expect(text.hasPrefix("✗ Forsetti 0.2.0: 1 of 2 modules active in 33.3 ms (policy p.json)\n"))
    #expect(text.contains("ui (selected)"))
    #expect(text.contains("it crashed"))
    #expect(text.hasSuffix("Running until SIGTERM or Ctrl-C.\n"))
    #expect(!report.text(.plain, staysUp: false).contains("Running until"))
    #expect(!text.contains("On the surface"))
  }

  @Test("the report names what is on the surface, each part with its contributor") func surface() {
    var report = RunReport(
      version: "0.2.0", policyPath: "p.json", state: "ready", bootMilliseconds: 1, modules: [], layers: [])
    report.surface = UISurface(contributions: [
      "com.b": UIContributions(
        themeMask: ThemeMask(themeID: "dark", tokens: []),
        toolbarItems: [
          ToolbarItemDescriptor(itemID: "go", title: "Go", action: .openOverlay(routeID: "r"))
        ],
        viewInjections: [
          ViewInjectionDescriptor(injectionID: "i", slot: "main", viewID: "v", priority: 1),
          ViewInjectionDescriptor(injectionID: "j", slot: "main", viewID: "w", priority: 2),
        ],
        overlaySchema: OverlaySchema(
          schemaID: "s", pointers: [],
          routes: [
            OverlayRoute(routeID: "r", path: "/r", destination: .moduleOverlay(viewID: "v", slot: "main"))
          ]
        ))
    ])
    #expect(
      report.surfaceLine
        == "\n  On the surface: 1 toolbar item, 2 views in 1 slot, 1 route, a theme mask\n")
    #expect(report.text(.plain, staysUp: false).contains(report.surfaceLine))
    #expect(
      RunReport.surfaceJSON(report.surface).line == """
        {"toolbar":[{"moduleID":"com.b","itemID":"go","title":"Go","action":{"type":"openOverlay","routeID":"r"}}],\
        "injections":{"main":[\
        {"moduleID":"com.b","injectionID":"j","slot":"main","viewID":"w","priority":2},\
        {"moduleID":"com.b","injectionID":"i","slot":"main","viewID":"v","priority":1}]},\
        "overlays":{"schemaID":"forsetti.overlay.composite","pointers":[],"routes":[{"routeID":"r","path":"/r",\
        "destination":{"type":"moduleOverlay","viewID":"v","slot":"main"}}]},\
        "themeMask":{"themeID":"dark","tokens":[]}}

        """)
  }

  @Test("check succeeds with warnings and fails with errors") func check() {
    var report = CheckReport(
      policyPath: "p", manifestsPath: "m", manifestCount: 2, compatibleCount: 2,
      findings: [.init(severity: .warning, place: "a.json:1:2", pointer: "/x", message: "unknown key")],
      milliseconds: 3)
    #expect(report.status == .success)
    #expect(report.text(.plain).hasPrefix("a.json:1:2: /x warning: unknown key\n"))
    #expect(report.text(.plain).hasSuffix("✓ valid and compatible, 1 warning (3 ms)\n"))
    report.findings.append(.init(severity: .error, place: "b.json", message: "broken"))
    #expect(report.status == .dataError)
    #expect(report.text(.plain).hasSuffix("✗ 1 error, 1 warning (3 ms)\n"))
    #expect(report.json.line.contains(#""valid":false"#))
  }

  @Test("explain fails where a gate fails") func explain() {
    let plan = SandboxPlan.derive(grants: [.storage], policy: SandboxPolicy())
    var report = ExplainReport(
      moduleID: "com.a", displayName: "A", manifestFile: "a.json", sha256: "ff",
      gates: [.init(name: "entry point", outcome: .passed, reason: "the host has it")],
      grants: [.init(capability: "storage", verdict: .granted, reason: "p.json:3")],
      plan: plan.explanation, filter: Array(repeating: 0, count: 24), profile: OCIExport(plan), missing: [])
    #expect(report.status == .success)
    #expect(report.text(.plain).contains("  ✓  entry point  the host has it\n"))
    #expect(report.text(.plain).contains("System calls the kernel carries out (12)\n"))
    #expect(report.json.line.contains(#""filterInstructions":3"#))
    report.gates.append(.init(name: "compatibility", outcome: .failed, reason: "denied"))
    #expect(report.status == .dataError)
  }

  @Test("accept shows the difference and the line to type, until it is accepted") func accept() {
    var report = AcceptReport(
      moduleID: "com.a", sha256: "ff", command: "forsetti-supervisor accept com.a --sha256 ff",
      standing: .drift([.init(field: "moduleVersion", registered: "1.0.0", present: "1.1.0")]),
      isAccepted: false)
    #expect(report.text(.plain).contains("    - 1.0.0\n    + 1.1.0\n"))
    #expect(report.text(.plain).contains("forsetti-supervisor accept com.a --sha256 ff"))
    report.isAccepted = true
    #expect(report.text(.plain).hasSuffix("✓ accepted\n"))
    #expect(report.json.line.contains(#""accepted":true"#))
  }
}
