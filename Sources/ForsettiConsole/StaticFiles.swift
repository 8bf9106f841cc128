import ForsettiHTTP

/// The pages, as they were compiled in: nothing is read from a folder.
enum StaticFiles {
  /// What a path shows; `nil` where it shows none. Every page of the console is the first one, which looks at the
  /// fragment.
  static func response(to path: String) -> HTTPResponse? {
    guard let file = files[path] else { return nil }
    return HTTPResponse(.ok, headers: ["Content-Type": file.type], body: file.bytes)
  }

  private static let script = "text/javascript; charset=utf-8"
  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "/": ("text/html; charset=utf-8", PackageResources.index_html),
    "/style.css": ("text/css; charset=utf-8", PackageResources.style_css),
    "/start.js": (script, PackageResources.start_js),
    "/app.js": (script, PackageResources.app_js),
    "/dom.js": (script, PackageResources.dom_js),
    "/api.js": (script, PackageResources.api_js),
    "/boot.js": (script, PackageResources.boot_js),
    "/dashboard.js": (script, PackageResources.dashboard_js),
    "/figures.js": (script, PackageResources.figures_js),
    "/rows.js": (script, PackageResources.rows_js),
    "/charts.js": (script, PackageResources.charts_js),
    "/module.js": (script, PackageResources.module_js),
    "/decisions.js": (script, PackageResources.decisions_js),
    "/structure.js": (script, PackageResources.structure_js),
    "/tabs.js": (script, PackageResources.tabs_js),
    "/surface.js": (script, PackageResources.surface_js),
    "/frame.js": (script, PackageResources.frame_js),
    "/keep.js": (script, PackageResources.keep_js),
    "/views.js": (script, PackageResources.views_js),
    "/secrets.js": (script, PackageResources.secrets_js),
    "/feeds.js": (script, PackageResources.feeds_js),
  ]
}
