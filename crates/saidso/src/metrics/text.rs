//! The Prometheus text format.

use std::fmt::{Display, Write};

use super::catalogue::{Kind, Metric};

/// A page of metrics in the making.
#[derive(Default)]
pub struct Page(String);

impl Page {
    /// Starts a metric's samples.
    pub fn head(&mut self, metric: Metric) -> &mut Self {
        let kind = match metric.kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        self.line(format_args!("# HELP {} {}", metric.name, metric.help));
        self.line(format_args!("# TYPE {} {kind}", metric.name));
        self
    }

    /// One sample. Label values are ours, or names from the configuration.
    pub fn sample(&mut self, name: &str, labels: &[(&str, &dyn Display)], value: impl Display) -> &mut Self {
        let labels: Vec<String> =
            labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
        match labels.is_empty() {
            true => self.line(format_args!("{name} {value}")),
            false => self.line(format_args!("{name}{{{}}} {value}", labels.join(","))),
        }
        self
    }

    /// A histogram: its classes, of which the last is for what is above every bound, and their sum.
    pub fn histogram(
        &mut self,
        name: &str,
        labels: &[(&str, &dyn Display)],
        bounds: &[f64],
        classes: &[u64],
        sum: f64,
    ) -> &mut Self {
        let bounds = bounds.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        let mut count = 0;
        for (bound, class) in bounds.zip(classes) {
            count += class;
            let labels: Vec<_> = labels.iter().copied().chain([("le", &bound as &dyn Display)]).collect();
            self.sample(&format!("{name}_bucket"), &labels, count);
        }
        self.sample(&format!("{name}_sum"), labels, sum);
        self.sample(&format!("{name}_count"), labels, count)
    }

    /// The page.
    pub fn finish(self) -> String {
        self.0
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{line}");
    }
}

fn escaped(value: &dyn Display) -> String {
    value.to_string().replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n")
}
