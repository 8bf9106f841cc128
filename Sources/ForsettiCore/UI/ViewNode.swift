/// A node of what a module's `render` answers (SPEC §6, docs/views.md). The host knows every kind, draws it and escapes
/// its texts; a module never sends markup.
public indirect enum ViewNode: Sendable, Hashable {
  /// A text.
  case text(String, style: ViewTextStyle = .body)
  /// Nodes one after the other.
  case list([ViewNode], style: ViewListStyle = .plain)
  /// Rows under column titles; each row is as long as `columns`.
  case table(columns: [String], rows: [[ViewNode]])
  /// Values by name, in order.
  case keyValues([ViewKeyValue])
  /// Fields to fill in, and a button that sends them.
  case form(ViewForm)
  /// Numbers by label.
  case chart(ViewChart)
  /// A word that stands out.
  case badge(String, tone: ViewTone = .neutral)
  /// How far something has come, 0 to 1; `nil` while nobody knows.
  case progress(Double?, label: String)
  /// Does something when pressed, with the module's rights only.
  case button(title: String, action: ToolbarAction)

  /// Nodes may nest this deep, the outermost counted.
  public static let maximumDepth = 8
  /// Nodes of one tree.
  public static let maximumNodes = 4096
}

/// How a text is meant.
public enum ViewTextStyle: String, Sendable, Hashable, CaseIterable {
  case title, heading, body, caption, code
}

/// How the items of a list are set off.
public enum ViewListStyle: String, Sendable, Hashable, CaseIterable {
  /// Not at all: one below the other.
  case plain
  case bullets, numbers
}

/// How a badge is meant; the host chooses the colour.
public enum ViewTone: String, Sendable, Hashable, CaseIterable {
  case neutral, info, success, warning, error
}

/// A value under its name.
public struct ViewKeyValue: Sendable, Hashable {
  /// The name.
  public var key: String
  /// The value.
  public var value: ViewNode

  /// Makes a pair.
  public init(_ key: String, _ value: ViewNode) {
    self.key = key
    self.value = value
  }
}

/// Fields to fill in. Pressing the button publishes an event of `eventType` in the module's name, whose payload is the
/// fields' values by ID.
public struct ViewForm: Sendable, Hashable {
  /// In order; IDs are unique.
  public var fields: [ViewField]
  /// What the button says.
  public var submitTitle: String
  /// Type of the event.
  public var eventType: String

  /// Makes a form.
  public init(fields: [ViewField], submitTitle: String, eventType: String) {
    self.fields = fields
    self.submitTitle = submitTitle
    self.eventType = eventType
  }
}

/// One field of a form.
public struct ViewField: Sendable, Hashable {
  /// What can be filled in.
  public enum Kind: Sendable, Hashable {
    /// One line, several, or one that is not shown.
    case text, multiline, secret
    case number
    /// `true` or `false`.
    case toggle
    /// One of these.
    case choice([String])
  }

  /// The key of its value in the event; not empty.
  public var fieldID: String
  /// What the field is called.
  public var label: String
  /// What can be filled in.
  public var kind: Kind
  /// What is there at first.
  public var value: String
  /// Whether it must be filled in.
  public var isRequired: Bool

  /// Makes a field.
  public init(fieldID: String, label: String, kind: Kind, value: String = "", isRequired: Bool = false) {
    self.fieldID = fieldID
    self.label = label
    self.kind = kind
    self.value = value
    self.isRequired = isRequired
  }
}

/// Numbers by label.
public struct ViewChart: Sendable, Hashable {
  /// How they are drawn.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case bar, line, pie
  }

  /// One of the drawn things.
  public struct Series: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// As many as the chart has labels, all finite.
    public var values: [Double]

    /// Makes a series.
    public init(_ name: String, _ values: [Double]) {
      self.name = name
      self.values = values
    }
  }

  /// How they are drawn.
  public var kind: Kind
  /// What the places mean.
  public var labels: [String]
  /// What is drawn.
  public var series: [Series]

  /// Makes a chart.
  public init(_ kind: Kind, labels: [String], series: [Series]) {
    self.kind = kind
    self.labels = labels
    self.series = series
  }
}
