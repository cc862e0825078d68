//! SONAR.
