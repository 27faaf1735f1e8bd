// The part of the ground that the light's picture covers.
layout(location = 0) in vec2 corner;
uniform mat4 camera;
uniform mat4 from_light;    // the light's picture -> ground
out vec2 in_light;

void main() {
    in_light = 0.5 * corner + 0.5;
    vec4 at = from_light * vec4(in_light, 0.0, 1.0);
    gl_Position = camera * vec4(at.xy, 0.0, 1.0);
}
