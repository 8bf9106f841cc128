// Small charts as SVG. Each says in words what it shows; those of modules also have their numbers as a table.

import { el } from "./dom.js";

/** A line without axes: how something went lately. */
export function sparkline(values, label, width = 96, height = 24) {
  const top = Math.max(1e-9, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${(height - 2 - (value / top) * (height - 4)).toFixed(1)}`);
  return el("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    points.length > 1 && el("polyline", { class: "area", points: `0,${height} ${points.join(" ")} ${width},${height}` }),
    points.length > 1 && el("polyline", { class: "line", points: points.join(" ") }));
}

const width = 480;
const height = 180;

/** A chart of a module's view: { chart, labels, series }. */
export function chart(node) {
  const kinds = { bar: bars, line: lines, pie };
  const words = node.series.map((series) => series.name).join(", ");
  return el("figure", { class: "chart" },
    el("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${node.chart} chart of ${words}` },
      (kinds[node.chart] ?? bars)(node)),
    node.chart === "pie" ? legend(node.labels) : legend(node.series.map((series) => series.name)),
    el("details", {}, el("summary", {}, "The numbers"), numbers(node)));
}

const legend = (names) =>
  el("figcaption", {}, names.slice(0, 24).map((name, index) => el("span", { class: `key series${index % 6}` }, name)));

const numbers = (node) =>
  el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), node.labels.map((label) => el("th", { scope: "col" }, label)))),
    el("tbody", {}, node.series.map((series) =>
      el("tr", {}, el("th", { scope: "row" }, series.name), series.values.map((value) => el("td", {}, value))))));

function scale(node) {
  const all = node.series.flatMap((series) => series.values);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const span = high - low || 1;
  return (value) => height - 8 - ((value - low) / span) * (height - 16);
}

function bars(node) {
  const y = scale(node);
  const group = width / Math.max(1, node.labels.length);
  const bar = (group * 0.8) / Math.max(1, node.series.length);
  return node.series.flatMap((series, index) =>
    series.values.map((value, place) =>
      el("rect", {
        class: `series${index % 6}`, x: place * group + group * 0.1 + index * bar, width: Math.max(1, bar - 1),
        y: Math.min(y(value), y(0)), height: Math.max(1, Math.abs(y(value) - y(0))), rx: 2,
      }, el("title", {}, `${node.labels[place]}: ${value}`))));
}

function lines(node) {
  const y = scale(node);
  const step = width / Math.max(1, node.labels.length - 1);
  return node.series.map((series, index) =>
    el("polyline", { class: `stroke series${index % 6}`, points: series.values.map((value, place) => `${place * step},${y(value)}`).join(" ") }));
}

function pie(node) {
  const values = (node.series[0]?.values ?? []).map((value) => Math.max(0, value));
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return [];
  const radius = height / 2 - 8;
  const point = (share) => {
    const angle = share * 2 * Math.PI - Math.PI / 2;
    return `${width / 2 + radius * Math.cos(angle)} ${height / 2 + radius * Math.sin(angle)}`;
  };
  let before = 0;
  return values.map((value, index) => {
    const share = Math.min(value / total, 0.9999);
    const path = `M${width / 2} ${height / 2}L${point(before)}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${point(before + share)}Z`;
    before += value / total;
    return el("path", { class: `series${index % 6}`, d: path }, el("title", {}, `${node.labels[index]}: ${value}`));
  });
}
